package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message that a handler could not handle, in its parking queue.
 *
 * @param index in the parking queue
 * @param status what has become of it
 * @param queue from which the handler took it
 * @param queueIndex in that queue
 * @param id of the message in that queue, as text
 * @param cause why it was parked, as text; at most 1,000 characters and an ellipsis
 * @param payloads of the message; the arrays are shared and must not be changed
 */
public record ParkedMessage(
        long index, Status status, String queue, long queueIndex, String id, String cause, List<byte[]> payloads) {

    /** What has become of a parked message. */
    public enum Status {
        /** Nothing yet. */
        PARKED,
        /**
         * A request to send it again ended in the middle. The next such request of this handler finishes it, even one for another
         * message.
         */
        BEING_SENT,
        /** It was sent again, or discarded. */
        DONE
    }

    private static final Pattern ORIGIN = Pattern.compile("(\\S+) (\\d+) (\\S+): (.*)", Pattern.DOTALL);

    /** In characters. */
    private static final int LONGEST_CAUSE = 1_000;

    public ParkedMessage {
        payloads = List.copyOf(payloads);
    }

    /** The payloads of a parked message: where it was and why, then its payloads. */
    static List<byte[]> payloadsOf(Input input, Throwable cause) {
        return withOrigin(
                input.queue(),
                input.index(),
                input.message().id().toString(),
                shortened(cause.toString()),
                input.message().payloads());
    }

    /** The payloads of {@link #payloadsOf}, with another queue as the origin. */
    List<byte[]> payloadsFor(String inputQueue) {
        return withOrigin(inputQueue, queueIndex, id, cause, payloads);
    }

    private static List<byte[]> withOrigin(String queue, long index, String id, String cause, List<byte[]> payloads) {
        List<byte[]> all = new ArrayList<>();
        all.add((queue + " " + index + " " + id + ": " + cause).getBytes(StandardCharsets.UTF_8));
        all.addAll(payloads);
        return all;
    }

    /** The text of an exception may have any length, but a state may not. */
    private static String shortened(String cause) {
        return cause.length() <= LONGEST_CAUSE ? cause : cause.substring(0, LONGEST_CAUSE) + "…";
    }

    /** Empty if {@link #payloadsOf} did not make the payloads. */
    static Optional<ParkedMessage> of(long index, Status status, List<byte[]> payloads) {
        if (payloads.isEmpty()) {
            return Optional.empty();
        }
        Matcher origin = ORIGIN.matcher(new String(payloads.get(0), StandardCharsets.UTF_8));
        if (!origin.matches()) {
            return Optional.empty();
        }
        return Optional.of(new ParkedMessage(
                index,
                status,
                origin.group(1),
                Long.parseLong(origin.group(2)),
                origin.group(3),
                origin.group(4),
                payloads.subList(1, payloads.size())));
    }

    /** The message as the handler's function sees it when it was sent again: with its first queue and index. */
    Input asInput() {
        int number = id.lastIndexOf('#');
        MessageId original = MessageId.of(id.substring(0, number), Long.parseLong(id.substring(number + 1)));
        return new Input(queue, queueIndex, new Message(original, payloads));
    }
}

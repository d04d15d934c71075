package io.github.cassandralock.internal.exactlyonce.endpoint;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.ParkedMessage;
import io.github.cassandralock.exactlyonce.handler.ParkedMessages;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.internal.endpoint.Answers;
import io.github.cassandralock.internal.endpoint.UnansweredException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The parked messages of this application's handlers, for operators. One thread sends the requests to the store, one after another.
 * Methods that do I/O block for {@link Answers#PATIENCE} at most. They throw {@link IllegalArgumentException} if an argument is
 * wrong, and {@link UnansweredException} if there is no answer. Thread-safe.
 */
public final class ParkedReports implements AutoCloseable {

    /** The most requests that wait for an earlier one. */
    private static final int MOST_WAITING = 8;

    private final Map<String, HandlerDefinition<?>> handlers = new LinkedHashMap<>();
    private final Function<String, MessageQueue> queues;
    private final ThreadPoolExecutor thread;

    /**
     * @param definitions of all handlers
     * @param queues the queues of the application by their names, for those to which messages were parked formerly
     */
    public ParkedReports(List<HandlerDefinition<?>> definitions, Function<String, MessageQueue> queues) {
        definitions.stream()
                .filter(HandlerDefinition::isParking)
                .forEach(definition -> handlers.put(definition.getName(), definition));
        this.queues = queues;
        thread = new ThreadPoolExecutor(
                1,
                1,
                Answers.PATIENCE.toNanos(),
                TimeUnit.NANOSECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                body -> {
                    Thread created = new Thread(body, "exactly-once-parked");
                    created.setDaemon(true);
                    return created;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * A parked message, as operators read it. Contents are not shown.
     *
     * @param index in the parking queue
     * @param status PARKED, BEING_SENT or DONE
     * @param queue where it was
     * @param queueIndex where in that queue
     * @param id of the message there
     * @param cause why it was parked
     * @param payloadSizes in bytes; the first hundred
     */
    record Parked(
            long index,
            String status,
            String queue,
            long queueIndex,
            String id,
            String cause,
            List<Integer> payloadSizes) {

        private static final int MOST_SIZES = 100;

        static Parked of(ParkedMessage message) {
            return new Parked(
                    message.index(),
                    message.status().name(),
                    message.queue(),
                    message.queueIndex(),
                    message.id(),
                    message.cause(),
                    message.payloads().stream()
                            .limit(MOST_SIZES)
                            .map(payload -> payload.length)
                            .toList());
        }
    }

    /**
     * A part of a handler's parked messages.
     *
     * @param handler its name
     * @param parkingQueue where they are
     * @param messages in the order of their indexes
     * @param next where the next part begins
     * @param complete whether there is no next part
     */
    record Page(String handler, String parkingQueue, List<Parked> messages, long next, boolean complete)
            implements OperationResponseBody {}

    /** Handlers that park messages, and their parking queues. Does no I/O. */
    Map<String, String> parkingQueues() {
        Map<String, String> names = new LinkedHashMap<>();
        handlers.forEach((name, definition) ->
                names.put(name, ParkedMessages.of(definition).getQueue()));
        return names;
    }

    /**
     * Messages of a handler.
     *
     * @param queue a parking queue that it had formerly; its present one, if empty
     * @param from the first index
     * @param most how many messages
     */
    Page page(String handler, Optional<String> queue, long from, int most) {
        ParkedMessages messages = messages(handler, queue);
        ParkedMessages.Page page = answer(() -> messages.list(from, most));
        return new Page(
                handler,
                messages.getQueue(),
                page.messages().stream().map(Parked::of).toList(),
                page.next(),
                page.complete());
    }

    /**
     * What a request to send a message again has led to.
     *
     * @param repeat whether it has to be repeated later
     * @param message what happened
     */
    record Sending(boolean repeat, String message) {}

    /**
     * Sends a message again, once.
     *
     * @param queue a parking queue that the handler had formerly; its present one, if empty
     * @param index in the parking queue
     * @param to an input queue of the handler; the one where the message was, if empty
     */
    Sending sendAgain(String handler, Optional<String> queue, long index, Optional<String> to) {
        ParkedMessages messages = messages(handler, queue);
        ParkedMessages.Answer answer =
                answer(() -> to.isPresent() ? messages.sendAgain(index, to.get()) : messages.sendAgain(index));
        if (answer instanceof ParkedMessages.Answer.Full full) {
            return new Sending(true, full.why());
        }
        return new Sending(
                false,
                answer instanceof ParkedMessages.Answer.Sent
                        ? "The message at index " + index + " was sent to handler " + handler + " again."
                        : doneBefore(index));
    }

    /** Discards a message. Returns what happened. */
    String discard(String handler, Optional<String> queue, long index) {
        ParkedMessages messages = messages(handler, queue);
        return answer(() -> messages.discard(index))
                ? "The message at index " + index + " was discarded."
                : doneBefore(index);
    }

    private static String doneBefore(long index) {
        return "The message at index " + index + " was sent again or discarded before; nothing was done.";
    }

    private ParkedMessages messages(String handler, Optional<String> queue) {
        HandlerDefinition<?> definition = handlers.get(handler);
        if (definition == null) {
            throw new IllegalArgumentException("There is no handler '" + handler
                    + "' that parks messages in this application; there are " + handlers.keySet());
        }
        return queue.isPresent()
                ? ParkedMessages.of(definition, queues.apply(queue.get()))
                : ParkedMessages.of(definition);
    }

    private <T> T answer(Callable<T> request) {
        Future<T> answer;
        try {
            answer = thread.submit(request);
        } catch (RejectedExecutionException e) {
            throw new UnansweredException(
                    "Too many requests are under way, or the application closes. Repeat the request", e);
        }
        try {
            return Answers.await(
                    answer,
                    "The parked messages could not be read or changed",
                    "It is unknown whether a change took effect: repeat the request, which is safe");
        } finally {
            answer.cancel(true);
        }
    }

    /** Interrupts the present request. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

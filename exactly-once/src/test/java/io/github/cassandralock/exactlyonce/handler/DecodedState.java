package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A version of a handler's state, as the checker reads it.
 *
 * @param handling whether the next thing to do is to take inputs, once outputs of a sole producer are there
 * @param phase its name
 * @param outputs that the step decided, all of them, while they are being written; empty otherwise
 */
public record DecodedState(
        long version,
        long step,
        long time,
        Map<String, Long> indexes,
        Map<String, Long> sequences,
        Bytes userState,
        boolean handling,
        String phase,
        List<DecodedOutput> outputs) {

    /** A message that was decided. */
    public record DecodedOutput(String queue, long sequence, List<byte[]> payloads) {}

    public static DecodedState of(String handler, StoredValue stored) {
        return of(stored.getVersion(), HandlerState.ofBytes(handler, stored.getValue()));
    }

    /** Of what is about to be written. */
    public static DecodedState of(String handler, long version, byte[] value) {
        return of(version, HandlerState.ofBytes(handler, value));
    }

    private static DecodedState of(long version, HandlerState state) {
        Map<String, Long> indexes = new TreeMap<>();
        state.inputs().forEach((queue, position) -> indexes.put(queue, position.index()));
        return new DecodedState(
                version,
                state.step(),
                state.time(),
                indexes,
                state.sequences(),
                state.userState(),
                state.phase() instanceof Phase.Handling || state.phase() instanceof Phase.SoleWriting,
                state.phase().text(),
                outputs(state.phase()).stream()
                        .map(output -> new DecodedOutput(output.queue(), output.sequence(), output.payloads()))
                        .toList());
    }

    /** Whether a parked message was sent again or discarded, and no request is in the middle of that. */
    public static boolean isDone(StoredValue sentAgain, String parkingQueue, long index) {
        SentAgain record = SentAgain.of("checked", sentAgain);
        return record.done(parkingQueue).contains(index) && !record.isPending(parkingQueue, index);
    }

    /** A parked message that is being sent again: the payloads that are to be pushed, and their sequence. */
    public static Optional<DecodedOutput> beingSent(StoredValue sentAgain) {
        SentAgain record = SentAgain.of("checked", sentAgain);
        return record.pending()
                .map(pending -> new DecodedOutput("again:checked", record.nextSequence() - 1, pending.payloads()));
    }

    /** A definition whose ring of messages that are sent again is small. */
    public static <S> HandlerDefinition.Builder<S> withFewSentAgain(HandlerDefinition.Builder<S> definition, int most) {
        return definition.mostSentAgain(most);
    }

    private static List<Output> outputs(Phase phase) {
        if (phase instanceof Phase.Preparing preparing) {
            return preparing.outputs();
        }
        if (phase instanceof Phase.Writing writing) {
            return writing.outputs();
        }
        return phase instanceof Phase.SoleWriting writing ? writing.outputs() : List.of();
    }
}

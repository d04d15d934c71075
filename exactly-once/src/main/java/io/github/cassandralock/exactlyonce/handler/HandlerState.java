package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that the copies of a handler share: the value of one register. Immutable.
 *
 * @param format of the user's state
 * @param userState the user's state
 * @param step counts the times that inputs were taken or an effect was followed
 * @param time of the last step, in milliseconds; never goes back
 * @param inputs how far each input queue was taken
 * @param sequences the sequence of the next message, for each output queue
 * @param effects how many effects were requested
 * @param phase what to do next
 * @param birth of this state, drawn when it is first written, and stored in queues and sinks. Empty in a state of an older
 *     version
 * @param births the birth of each queue or sink that this state counts, named as {@link Counterparts} does
 */
record HandlerState(
        int format,
        Bytes userState,
        long step,
        long time,
        SortedMap<String, InputPosition> inputs,
        SortedMap<String, Long> sequences,
        long effects,
        Phase phase,
        String birth,
        SortedMap<String, String> births) {

    /** A format of this record itself, only read: has no births. */
    private static final int ENVELOPE_WITHOUT_BIRTHS = 1;

    /** The format of this record itself. */
    private static final int ENVELOPE = 2;

    HandlerState {
        inputs = Collections.unmodifiableSortedMap(new TreeMap<>(inputs));
        sequences = Collections.unmodifiableSortedMap(new TreeMap<>(sequences));
        births = Collections.unmodifiableSortedMap(new TreeMap<>(births));
    }

    HandlerState with(Phase next) {
        return new HandlerState(format, userState, step, time, inputs, sequences, effects, next, birth, births);
    }

    /** This state after one more step, with what the step changes. */
    HandlerState afterStep(
            int newFormat,
            Bytes newUserState,
            long newTime,
            SortedMap<String, Long> newSequences,
            long newEffects,
            Phase next) {
        return new HandlerState(
                newFormat, newUserState, step + 1, newTime, inputs, newSequences, newEffects, next, birth, births);
    }

    HandlerState withInputs(Map<String, InputPosition> positions) {
        SortedMap<String, InputPosition> all = new TreeMap<>(inputs);
        all.putAll(positions);
        return new HandlerState(format, userState, step, time, all, sequences, effects, phase, birth, births);
    }

    /** If queues are often renamed, the producers of queues that are no longer taken would fill the state. */
    HandlerState forgettingProducersExceptOf(Set<String> queues) {
        Map<String, InputPosition> former = new TreeMap<>(inputs);
        former.keySet().removeAll(queues);
        former.replaceAll((queue, position) -> position.withoutProducers());
        return withInputs(former);
    }

    HandlerState withBirths(String own, Map<String, String> ofOthers) {
        SortedMap<String, String> all = new TreeMap<>(births);
        all.putAll(ofOthers);
        return new HandlerState(format, userState, step, time, inputs, sequences, effects, phase, own, all);
    }

    /** Whether an output queue may have a message with this sequence at this index, if this state is the latest. */
    boolean mayHaveWritten(String queue, long sequence, long index) {
        return sequence < sequences.getOrDefault(queue, 0L) && phase.mayHaveWritten(queue, sequence, index);
    }

    InputPosition input(String queue) {
        return position(inputs, queue);
    }

    static InputPosition position(Map<String, InputPosition> positions, String queue) {
        InputPosition position = positions.get(queue);
        if (position == null) {
            throw new IllegalStateException("The state has no position in input queue " + queue);
        }
        return position;
    }

    byte[] toBytes() {
        ByteEncoder encoder = new ByteEncoder()
                .tag(ENVELOPE)
                .count(format)
                .bytes(userState.toArray())
                .number(step)
                .number(time)
                .map(inputs, HandlerState::write)
                .map(sequences, ByteEncoder::number)
                .number(effects);
        Phase.write(encoder, phase);
        return encoder.text(birth).map(births, ByteEncoder::text).toBytes();
    }

    private static void write(ByteEncoder encoder, InputPosition input) {
        input.check().writeTo(encoder.number(input.index()));
    }

    /** Whether {@link #ofBytes} reads the format of these bytes. A later version of the program may write another. */
    static boolean isKnown(byte[] bytes) {
        return bytes.length > 0 && (bytes[0] == ENVELOPE || bytes[0] == ENVELOPE_WITHOUT_BIRTHS);
    }

    static HandlerState ofBytes(String handler, byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder("the state of handler " + handler, bytes);
        boolean hasBirths = decoder.readTag() != ENVELOPE_WITHOUT_BIRTHS;
        HandlerState state = new HandlerState(
                decoder.getPosition(),
                Bytes.of(decoder.readBytes()),
                decoder.readNumber(),
                decoder.readNumber(),
                decoder.readMap(HandlerState::input),
                decoder.readMap(ByteDecoder::readNumber),
                decoder.readNumber(),
                Phase.read(decoder),
                hasBirths ? decoder.readText() : "",
                hasBirths ? decoder.readMap(ByteDecoder::readText) : new TreeMap<>());
        decoder.requireEnd();
        return state;
    }

    private static InputPosition input(ByteDecoder decoder) {
        long index = decoder.readNumber();
        return new InputPosition(index, SequenceCheck.readFrom(decoder, index));
    }
}

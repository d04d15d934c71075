package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last message of each producer, as a queue or a consumer of it remembers it. The next message of a producer must have the next
 * sequence. If there are too many producers, the one whose last message is farthest back is forgotten. The order of the queue
 * decides this, not a clock. Immutable.
 *
 * @param last the last message of each producer; a producer without one has pushed nothing, or was forgotten
 * @param forgottenBelow no producer had pushed anything from this index on when it was forgotten; 0 if none was
 */
public record SequenceCheck(SortedMap<String, Last> last, long forgottenBelow) {

    /**
     * The last message of a producer.
     *
     * @param sequence of the message
     * @param index in the queue, or a higher one if an older version of this library has not stored it
     */
    public record Last(long sequence, long index) {}

    /** Replaces the count with which older versions of this library begin. What was forgotten, and indexes, follow. */
    private static final int WITH_INDEXES = -1;

    public SequenceCheck {
        last = Collections.unmodifiableSortedMap(new TreeMap<>(last));
    }

    /** The check before the first message. */
    public static SequenceCheck none() {
        return new SequenceCheck(Collections.emptySortedMap(), 0);
    }

    /**
     * The check after a message, which may be a violation. Messages of anonymous producers change nothing.
     *
     * @param index of the message
     * @param id of the message
     * @param mostProducers how many producers are remembered
     */
    public SequenceCheck after(long index, MessageId id, int mostProducers) {
        if (id.anonymous()) {
            return this;
        }
        SortedMap<String, Last> next = new TreeMap<>(last);
        next.put(id.producer(), new Last(Math.max(lastOf(id.producer()), id.sequence()), index));
        long below = forgottenBelow;
        while (next.size() > mostProducers) {
            Map.Entry<String, Last> oldest = Collections.min(
                    next.entrySet(),
                    Comparator.comparingLong(producer -> producer.getValue().index()));
            below = Math.max(below, oldest.getValue().index() + 1);
            next.remove(oldest.getKey());
        }
        return new SequenceCheck(next, below);
    }

    /**
     * Without any producer: all are forgotten.
     *
     * @param below an index above the indexes of all messages in this object
     */
    public SequenceCheck withoutProducers(long below) {
        return last.isEmpty() ? this : new SequenceCheck(Collections.emptySortedMap(), Math.max(forgottenBelow, below));
    }

    /** The last sequence of a producer; -1 if it has pushed nothing, or was forgotten. */
    public long lastOf(String producer) {
        Last known = last.get(producer);
        return known == null ? -1 : known.sequence();
    }

    /** The index of the last message of a producer; -1 if it has pushed nothing, or was forgotten. */
    long indexOfLast(String producer) {
        Last known = last.get(producer);
        return known == null ? -1 : known.index();
    }

    /** Whether a producer was forgotten. Then an unknown producer is not certainly new. */
    boolean hasForgotten() {
        return forgottenBelow > 0;
    }

    /**
     * Whether a message was at an index. This check must cover all messages up to that index.
     *
     * @return empty if its producer was forgotten, and may have pushed it
     */
    Optional<Boolean> wasThere(long index, MessageId id) {
        return last.containsKey(id.producer()) || index >= forgottenBelow
                ? Optional.of(lastOf(id.producer()) >= id.sequence())
                : Optional.empty();
    }

    /** What is wrong if that message comes next; empty if nothing is, or if its producer may have been forgotten. */
    public Optional<SequenceViolation> violation(String queue, long index, MessageId next) {
        long expected = lastOf(next.producer()) + 1;
        return next.anonymous() || next.sequence() == expected || (expected == 0 && hasForgotten())
                ? Optional.empty()
                : Optional.of(new SequenceViolation(queue, index, expected, next));
    }

    public void writeTo(ByteEncoder encoder) {
        encoder.count(WITH_INDEXES)
                .number(forgottenBelow)
                .map(last, (fields, known) -> fields.number(known.sequence()).number(known.index()));
    }

    /**
     * Reads what {@link #writeTo} has written, here or in an older version of this library.
     *
     * @param decoder at its first field
     * @param below an index above the indexes of all messages in this object
     */
    public static SequenceCheck readFrom(ByteDecoder decoder, long below) {
        int count = decoder.getPosition();
        boolean withIndexes = count == WITH_INDEXES;
        long forgottenBelow = withIndexes ? decoder.readNumber() : 0;
        int producers = withIndexes ? decoder.readCount() : count;
        SortedMap<String, Last> last = new TreeMap<>();
        for (int i = 0; i < producers; i++) {
            last.put(
                    decoder.readText(), new Last(decoder.readNumber(), withIndexes ? decoder.readNumber() : below - 1));
        }
        return new SequenceCheck(last, forgottenBelow);
    }

    /** The bytes that a sink stores beside its index. */
    public byte[] toBytes() {
        ByteEncoder encoder = new ByteEncoder();
        writeTo(encoder);
        return encoder.toBytes();
    }

    /**
     * Decodes the bytes of {@link #toBytes}.
     *
     * @param bytes beside the index
     * @param index of the sink
     */
    public static SequenceCheck ofBytes(byte[] bytes, long index) {
        ByteDecoder decoder = new ByteDecoder("a sink's last sequences", bytes);
        SequenceCheck check = readFrom(decoder, index);
        decoder.requireEnd();
        return check;
    }
}

package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The low-water record T of a queue, one register. Immutable.
 *
 * @param layout the layout of the queue, as {@link Layout#getText} writes it
 * @param index L: all consumers have taken all cells below it; it never falls
 * @param cleaned tombstones have overwritten all cells below it, if the layout has them
 * @param marks for each consumer, the index up to which a committed state of it has taken the queue
 * @param check the last sequence of each producer in the cells below {@code index}, unless it was forgotten
 * @param removed consumers that were removed; a return would make the queue wait for them again. Together with those that have
 *     marks they are at most {@link #MOST_CONSUMERS}
 * @param birth of the queue, drawn when the record is first written. A queue that is made again with its name has another birth
 * @param births for each consumer, the birth of its position or state; none until it was reported
 * @param producers for each producer, the birth of its state; a consumer with its name may be another program
 */
public record LowWater(
        String layout,
        long index,
        long cleaned,
        SortedMap<String, Long> marks,
        SequenceCheck check,
        SortedSet<String> removed,
        String birth,
        SortedMap<String, String> births,
        SortedMap<String, String> producers) {

    /**
     * How many names of consumers a queue keeps, including removed ones. With so many names of the greatest length, and {@link
     * MessageQueue#MOST_PRODUCERS} producers, the record fits into a register.
     */
    static final int MOST_CONSUMERS = 1_000;

    /** Only read: has neither removed consumers nor births. */
    private static final int FORMAT_WITHOUT_REMOVED = 1;

    /** Only read: has no births. */
    private static final int FORMAT_WITHOUT_BIRTHS = 2;

    private static final int FORMAT = 3;

    /** The birth of a record that is unwritten, or was written by a version of the program without births. */
    private static final String NOT_BORN = "";

    public LowWater {
        marks = Collections.unmodifiableSortedMap(new TreeMap<>(marks));
        removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
        births = Collections.unmodifiableSortedMap(new TreeMap<>(births));
        producers = Collections.unmodifiableSortedMap(new TreeMap<>(producers));
    }

    static LowWater ofNewQueue(Layout layout) {
        return new LowWater(
                layout.getText(),
                0,
                0,
                Collections.emptySortedMap(),
                SequenceCheck.none(),
                Collections.emptySortedSet(),
                NOT_BORN,
                Collections.emptySortedMap(),
                Collections.emptySortedMap());
    }

    boolean hasRoomForConsumer() {
        return marks.size() + removed.size() < MOST_CONSUMERS;
    }

    boolean isBorn() {
        return !birth.equals(NOT_BORN);
    }

    LowWater bornAs(String drawn) {
        return new LowWater(layout, index, cleaned, marks, check, removed, drawn, births, producers);
    }

    LowWater withConsumer(String consumer, String ofPosition) {
        SortedMap<String, String> more = new TreeMap<>(births);
        more.put(consumer, ofPosition);
        return new LowWater(layout, index, cleaned, marks, check, removed, birth, more, producers);
    }

    /** If there are too many, the producer whose last message is farthest back is forgotten. */
    LowWater withProducer(String producer, String ofState, int mostProducers) {
        SortedMap<String, String> more = new TreeMap<>(producers);
        List<String> oldest = producers.keySet().stream()
                .sorted(Comparator.comparingLong(check::indexOfLast))
                .limit(Math.max(0, producers.size() - mostProducers + 1))
                .toList();
        more.keySet().removeAll(oldest);
        more.put(producer, ofState);
        return new LowWater(layout, index, cleaned, marks, check, removed, birth, births, more);
    }

    /** The highest index to which L may be raised; L itself if there are no consumers. */
    public long lowestMark() {
        return marks.values().stream().mapToLong(Long::longValue).min().orElse(index);
    }

    /** The consumers that are farthest behind. */
    public List<String> slowest() {
        long lowest = lowestMark();
        return marks.entrySet().stream()
                .filter(mark -> mark.getValue() == lowest)
                .map(Map.Entry::getKey)
                .toList();
    }

    LowWater withMark(String consumer, long mark) {
        SortedMap<String, Long> changed = new TreeMap<>(marks);
        changed.merge(consumer, mark, Math::max);
        return new LowWater(layout, index, cleaned, changed, check, removed, birth, births, producers);
    }

    LowWater without(String consumer) {
        SortedMap<String, Long> left = new TreeMap<>(marks);
        left.remove(consumer);
        SortedSet<String> more = new TreeSet<>(removed);
        more.add(consumer);
        return new LowWater(layout, index, cleaned, left, check, more, birth, births, producers);
    }

    LowWater raisedTo(long higher, SequenceCheck checkBelow) {
        return new LowWater(layout, higher, cleaned, marks, checkBelow, removed, birth, births, producers);
    }

    LowWater cleanedTo(long higher) {
        return new LowWater(layout, index, higher, marks, check, removed, birth, births, producers);
    }

    byte[] toBytes() {
        ByteEncoder encoder = new ByteEncoder()
                .tag(FORMAT)
                .text(layout)
                .number(index)
                .number(cleaned)
                .map(marks, ByteEncoder::number);
        check.writeTo(encoder);
        return encoder.all(removed, ByteEncoder::text)
                .text(birth)
                .map(births, ByteEncoder::text)
                .map(producers, ByteEncoder::text)
                .toBytes();
    }

    static LowWater ofBytes(String queue, byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder("the low-water record of queue " + queue, bytes);
        int format = decoder.readFormat(FORMAT_WITHOUT_REMOVED, FORMAT);
        String layout = decoder.readText();
        long index = decoder.readNumber();
        LowWater record = new LowWater(
                layout,
                index,
                decoder.readNumber(),
                decoder.readMap(ByteDecoder::readNumber),
                SequenceCheck.readFrom(decoder, index),
                format > FORMAT_WITHOUT_REMOVED
                        ? new TreeSet<>(decoder.readAll(ByteDecoder::readText))
                        : new TreeSet<>(),
                format > FORMAT_WITHOUT_BIRTHS ? decoder.readText() : NOT_BORN,
                format > FORMAT_WITHOUT_BIRTHS ? decoder.readMap(ByteDecoder::readText) : new TreeMap<>(),
                format > FORMAT_WITHOUT_BIRTHS ? decoder.readMap(ByteDecoder::readText) : new TreeMap<>());
        decoder.requireEnd();
        return record;
    }
}

package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.bytes.MalformedBytesException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The low-water record T of a queue, one register. Immutable.
 *
 * @param layout the layout of the queue, as {@link Layout#text} writes it
 * @param index L: all cells below it have been taken by all consumers; it never falls
 * @param cleaned all cells below it have been overwritten by tombstones, if the layout has them
 * @param marks consumer → the index up to which a committed state of it has taken the queue
 * @param check the last sequence of each producer in the cells below {@code index}, of those that are not forgotten
 * @param removed consumers that were removed; they never come back, or the queue would wait for them again
 */
public record LowWater(
        String layout,
        long index,
        long cleaned,
        SortedMap<String, Long> marks,
        SequenceCheck check,
        SortedSet<String> removed) {

    private static final int FORMAT = 1;

    /** The same, followed by the consumers that were removed. Written only if there are any: old programs do not know it. */
    private static final int FORMAT_WITH_REMOVED = 2;

    /** Copies the maps. */
    public LowWater {
        marks = Collections.unmodifiableSortedMap(new TreeMap<>(marks));
        removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
    }

    static LowWater ofNewQueue(Layout layout) {
        return new LowWater(
                layout.text(), 0, 0, Collections.emptySortedMap(), SequenceCheck.none(), Collections.emptySortedSet());
    }

    /** What L may be raised to; L itself if there are no consumers. */
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
        return new LowWater(layout, index, cleaned, changed, check, removed);
    }

    LowWater without(String consumer) {
        SortedMap<String, Long> left = new TreeMap<>(marks);
        left.remove(consumer);
        SortedSet<String> more = new TreeSet<>(removed);
        more.add(consumer);
        return new LowWater(layout, index, cleaned, left, check, more);
    }

    LowWater raisedTo(long higher, SequenceCheck checkBelow) {
        return new LowWater(layout, higher, cleaned, marks, checkBelow, removed);
    }

    LowWater cleanedTo(long higher) {
        return new LowWater(layout, index, higher, marks, check, removed);
    }

    byte[] toBytes() {
        ByteEncoder encoder = new ByteEncoder()
                .tag(removed.isEmpty() ? FORMAT : FORMAT_WITH_REMOVED)
                .text(layout)
                .number(index)
                .number(cleaned)
                .numbers(marks);
        check.writeTo(encoder);
        return removed.isEmpty()
                ? encoder.toBytes()
                : encoder.all(removed, ByteEncoder::text).toBytes();
    }

    static LowWater ofBytes(String queue, byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder("the low-water record of queue " + queue, bytes);
        int format = decoder.tag();
        if (format != FORMAT && format != FORMAT_WITH_REMOVED) {
            throw new MalformedBytesException("The low-water record of queue " + queue + " has format " + format
                    + ", which this version of the program does not know: upgrade it");
        }
        String layout = decoder.text();
        long index = decoder.number();
        LowWater record = new LowWater(
                layout,
                index,
                decoder.number(),
                decoder.numbers(),
                SequenceCheck.readFrom(decoder, index),
                format == FORMAT ? new TreeSet<>() : new TreeSet<>(decoder.all(ByteDecoder::text)));
        decoder.end();
        return record;
    }
}

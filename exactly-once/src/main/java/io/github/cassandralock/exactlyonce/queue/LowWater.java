package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.bytes.MalformedBytesException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The low-water record T of a queue, one register. Immutable.
 *
 * @param layout the layout of the queue, as {@link Layout#text} writes it
 * @param index L: all cells below it have been taken by all consumers; it never falls
 * @param cleaned all cells below it have been overwritten by tombstones, if the layout has them
 * @param marks consumer → the index up to which a committed state of it has taken the queue
 * @param last producer → the highest sequence in the cells below {@code index}
 */
public record LowWater(
        String layout, long index, long cleaned, SortedMap<String, Long> marks, SortedMap<String, Long> last) {

    private static final int FORMAT = 1;

    /** Copies the maps. */
    public LowWater {
        marks = Collections.unmodifiableSortedMap(new TreeMap<>(marks));
        last = Collections.unmodifiableSortedMap(new TreeMap<>(last));
    }

    static LowWater ofNewQueue(Layout layout) {
        return new LowWater(layout.text(), 0, 0, Collections.emptySortedMap(), Collections.emptySortedMap());
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
        return new LowWater(layout, index, cleaned, changed, last);
    }

    byte[] toBytes() {
        return new ByteEncoder()
                .tag(FORMAT)
                .text(layout)
                .number(index)
                .number(cleaned)
                .numbers(marks)
                .numbers(last)
                .toBytes();
    }

    static LowWater ofBytes(String queue, byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder("the low-water record of queue " + queue, bytes);
        int format = decoder.tag();
        if (format != FORMAT) {
            throw new MalformedBytesException("The low-water record of queue " + queue + " has format " + format
                    + ", which this version of the program does not know: upgrade it");
        }
        LowWater record =
                new LowWater(decoder.text(), decoder.number(), decoder.number(), decoder.numbers(), decoder.numbers());
        decoder.end();
        return record;
    }
}

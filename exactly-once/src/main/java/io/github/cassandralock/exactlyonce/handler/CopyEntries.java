package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.handler.Suspicion.MessagePlace;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The copies of a handler that may park messages, one register. Immutable.
 *
 * @param byCopy the entry of each copy, by its id
 */
record CopyEntries(SortedMap<String, Entry> byCopy) {

    /** Since format 3, failures have weights. */
    private static final int FORMAT = 3;

    CopyEntries {
        byCopy = Collections.unmodifiableSortedMap(new TreeMap<>(byCopy));
    }

    /**
     * The entry of one copy.
     *
     * @param beats raised while the copy lives
     * @param queues from which it takes messages
     * @param failing the message that has failed there often and long enough
     * @param failures sum of the weights of all failures that the copy has reported
     */
    record Entry(long beats, SortedSet<String> queues, Optional<MessagePlace> failing, long failures) {

        Entry {
            queues = Collections.unmodifiableSortedSet(new TreeSet<>(queues));
        }

        boolean takes(MessagePlace message) {
            return queues.contains(message.queue());
        }

        boolean failsWith(MessagePlace message) {
            return failing.equals(Optional.of(message));
        }
    }

    static CopyEntries none() {
        return new CopyEntries(Collections.emptySortedMap());
    }

    CopyEntries with(String copy, Entry entry) {
        SortedMap<String, Entry> next = new TreeMap<>(byCopy);
        next.put(copy, entry);
        return new CopyEntries(next);
    }

    /** These entries, and the others of copies without an entry here. */
    CopyEntries and(CopyEntries others) {
        SortedMap<String, Entry> all = new TreeMap<>(others.byCopy);
        all.putAll(byCopy);
        return new CopyEntries(all);
    }

    CopyEntries without(Predicate<String> copies) {
        SortedMap<String, Entry> next = new TreeMap<>(byCopy);
        next.keySet().removeIf(copies);
        return new CopyEntries(next);
    }

    /**
     * Whether all copies that take the message's queue fail with the message, and have reported enough failures since earlier
     * entries.
     *
     * @param earlier entries of all these copies
     * @param weight of the failures since then; more than the weight of one failure, whose call may have begun before
     */
    boolean agreeOn(MessagePlace message, CopyEntries earlier, int weight) {
        return byCopy.entrySet().stream()
                .filter(copy -> copy.getValue().takes(message))
                .allMatch(copy -> copy.getValue().failsWith(message) && failuresSince(earlier, copy) >= weight);
    }

    private static long failuresSince(CopyEntries earlier, Map.Entry<String, Entry> copy) {
        Entry before = Objects.requireNonNull(earlier.byCopy().get(copy.getKey()));
        return copy.getValue().failures() - before.failures();
    }

    byte[] toBytes() {
        return new ByteEncoder()
                .tag(FORMAT)
                .map(
                        byCopy,
                        (fields, entry) -> fields.number(entry.beats())
                                .all(entry.queues(), ByteEncoder::text)
                                .all(
                                        entry.failing().stream().toList(),
                                        (to, message) ->
                                                to.text(message.queue()).number(message.index()))
                                .number(entry.failures()))
                .toBytes();
    }

    /** Whether {@link #ofBytes} reads these bytes. A later version of the program may write another format. */
    static boolean isKnown(byte[] bytes) {
        return bytes.length > 0 && bytes[0] <= FORMAT;
    }

    /**
     * Omits the entries of an earlier version, which count failures differently or not at all. Its copies park nothing beside
     * copies of this version.
     */
    static CopyEntries ofBytes(String handler, byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder("the copies of handler " + handler, bytes);
        if (decoder.readTag() < FORMAT) {
            return none();
        }
        CopyEntries entries = new CopyEntries(decoder.readMap(fields -> new Entry(
                fields.readNumber(),
                new TreeSet<>(fields.readAll(ByteDecoder::readText)),
                fields.readAll(place -> new MessagePlace(place.readText(), place.readNumber())).stream()
                        .findFirst(),
                fields.readNumber())));
        decoder.requireEnd();
        return entries;
    }
}

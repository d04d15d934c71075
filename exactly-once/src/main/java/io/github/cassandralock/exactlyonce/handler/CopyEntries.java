package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.handler.Suspicion.MessagePlace;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The copies of a handler that may park messages, one register. Immutable.
 *
 * @param byCopy id of a copy → its entry
 */
record CopyEntries(SortedMap<String, Entry> byCopy) {

    private static final int FORMAT = 1;

    CopyEntries {
        byCopy = Collections.unmodifiableSortedMap(new TreeMap<>(byCopy));
    }

    /**
     * The entry of one copy.
     *
     * @param beats raised while the copy lives
     * @param queues that it takes messages from
     * @param failing the message that has failed there often and long enough
     * @param proven whether the function succeeded there with other messages meanwhile
     */
    record Entry(long beats, SortedSet<String> queues, Optional<MessagePlace> failing, boolean proven) {

        Entry {
            queues = Collections.unmodifiableSortedSet(new TreeSet<>(queues));
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

    CopyEntries without(Predicate<String> copies) {
        SortedMap<String, Entry> next = new TreeMap<>(byCopy);
        next.keySet().removeIf(copies);
        return new CopyEntries(next);
    }

    /** Whether all copies that take the queue of a message fail with it, and one of them has shown that the message is at fault. */
    boolean agreeOn(MessagePlace message) {
        return byCopy.values().stream()
                        .filter(entry -> entry.queues().contains(message.queue()))
                        .allMatch(entry -> entry.failsWith(message))
                && byCopy.values().stream().anyMatch(entry -> entry.failsWith(message) && entry.proven());
    }

    byte[] toBytes() {
        ByteEncoder encoder = new ByteEncoder().tag(FORMAT);
        encoder.all(byCopy.entrySet(), (fields, copy) -> {
            Entry entry = copy.getValue();
            fields.text(copy.getKey())
                    .number(entry.beats())
                    .all(entry.queues(), ByteEncoder::text)
                    .all(
                            entry.failing().stream().toList(),
                            (to, message) -> to.text(message.queue()).number(message.index()))
                    .tag(entry.proven() ? 1 : 0);
        });
        return encoder.toBytes();
    }

    /** Whether bytes have the format that {@link #ofBytes} reads. A later version of the program may write another. */
    static boolean isKnown(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == FORMAT;
    }

    static CopyEntries ofBytes(String handler, byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder("the copies of handler " + handler, bytes);
        decoder.tag();
        SortedMap<String, Entry> entries = new TreeMap<>();
        int count = decoder.count();
        for (int i = 0; i < count; i++) {
            entries.put(
                    decoder.text(),
                    new Entry(
                            decoder.number(),
                            new TreeSet<>(decoder.all(ByteDecoder::text)),
                            decoder.all(fields -> new MessagePlace(fields.text(), fields.number())).stream()
                                    .findFirst(),
                            decoder.tag() == 1));
        }
        decoder.end();
        return new CopyEntries(entries);
    }
}

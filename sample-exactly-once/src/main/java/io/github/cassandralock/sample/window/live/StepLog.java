package io.github.cassandralock.sample.window.live;

import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** The latest steps of this copy, in memory: they are gone when it is killed. Thread-safe. */
@Component
class StepLog {

    private static final int KEPT = 4_000;

    /**
     * Something that this copy decided, and no other.
     *
     * @param number of the entry, from 1
     * @param by the handler or sink
     * @param step of the handler; index of the sink
     * @param at by this machine's clock, in milliseconds since 1970: for a picture, and for no decision
     */
    record Entry(long number, String by, long step, long at) {}

    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListMap<Long, Entry> entries = new ConcurrentSkipListMap<>();

    void add(String by, long step) {
        long number = numbers.incrementAndGet();
        entries.put(number, new Entry(number, by, step, System.currentTimeMillis()));
        entries.headMap(number - KEPT, true).clear();
    }

    List<Entry> after(long number) {
        return List.copyOf(entries.tailMap(number, false).values());
    }
}

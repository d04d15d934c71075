package io.github.cassandralock.internal.ticket;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long hand-overs of a lock took when this process waited for it before: what the next attempt begins with (protocol,
 * section 8). Thread-safe.
 */
final class HandOverEstimates {

    /** Of so many locks, those waited for last. What has been forgotten costs its next waiter a few looks. */
    static final int LOCKS = 1_000;

    private static final float LOAD_FACTOR = 0.75f;

    private final Map<String, Long> nanosByLock =
            Collections.synchronizedMap(new LinkedHashMap<>(16, LOAD_FACTOR, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                    return size() > LOCKS;
                }
            });

    /**
     * What to expect of one hand-over, in nanoseconds.
     *
     * @param guess if nothing is known about the lock
     */
    long expected(String lockId, long guess) {
        return nanosByLock.getOrDefault(lockId, guess);
    }

    /** What the next attempt is to expect, in nanoseconds. */
    void note(String lockId, long handOver) {
        nanosByLock.put(lockId, handOver);
    }
}

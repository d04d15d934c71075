package io.github.cassandralock.internal.ticket;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long hand-overs of each lock took when this process waited for it. The next attempt begins with this estimate
 * (protocol, section 8). Thread-safe.
 */
final class HandOverEstimates {

    /**
     * For how many locks estimates are kept: those used last. Without an estimate, the next waiter reads a few times
     * more.
     */
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
     * The expected time of one hand-over, in nanoseconds.
     *
     * @param guess returned if there is no estimate for the lock
     */
    long expected(String lockId, long guess) {
        return nanosByLock.getOrDefault(lockId, guess);
    }

    /** Stores the time of one hand-over that the next attempt is to expect, in nanoseconds. */
    void note(String lockId, long handOver) {
        nanosByLock.put(lockId, handOver);
    }
}

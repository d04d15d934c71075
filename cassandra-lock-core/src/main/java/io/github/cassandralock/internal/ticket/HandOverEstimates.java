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

    private final Map<String, HandOverTime> byLock =
            Collections.synchronizedMap(new LinkedHashMap<>(16, LOAD_FACTOR, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, HandOverTime> eldest) {
                    return size() > LOCKS;
                }
            });

    /** @param guess returned if there is no estimate for the lock */
    HandOverTime expected(String lockId, HandOverTime guess) {
        return byLock.getOrDefault(lockId, guess);
    }

    /** Stores what the next attempt is to expect. */
    void note(String lockId, HandOverTime handOver) {
        byLock.put(lockId, handOver);
    }
}

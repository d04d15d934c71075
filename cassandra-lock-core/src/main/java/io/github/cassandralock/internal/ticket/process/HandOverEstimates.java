package io.github.cassandralock.internal.ticket.process;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long hand-overs of each lock took when this process waited for it. The next attempt begins with this estimate
 * (protocol, section 8). Thread-safe.
 */
public final class HandOverEstimates {

    /**
     * How long one hand-over of a lock takes, in nanoseconds (protocol, section 8).
     *
     * @param cautious a low estimate, which rises slowly, because a pause that is too long delays all who wait
     * @param average what many hand-overs took on average, for decisions that cost much and delay no waiter
     */
    public record Estimate(long cautious, long average) {

        /** An estimate without any measurement. */
        public static Estimate guess(long nanos) {
            return new Estimate(nanos, nanos);
        }
    }

    /**
     * Estimates are kept for so many locks, the most recently used ones. Without an estimate, the next waiter reads a few times
     * more.
     */
    static final int LOCKS = 1_000;

    private static final float LOAD_FACTOR = 0.75f;

    private final Map<String, Estimate> byLock =
            Collections.synchronizedMap(new LinkedHashMap<>(16, LOAD_FACTOR, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Estimate> eldest) {
                    return size() > LOCKS;
                }
            });

    /** @param guess returned if there is no estimate for the lock */
    public Estimate expected(String lockId, Estimate guess) {
        return byLock.getOrDefault(lockId, guess);
    }

    /** Stores the estimate for the next attempt. */
    public void note(String lockId, Estimate handOver) {
        byLock.put(lockId, handOver);
    }
}

package io.github.cassandralock.internal.ticket.process;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The locks that this process released lately while no other process requested them. Only these locks are worth keeping.
 * Thread-safe.
 */
public final class RecentReleases {

    /** Releases are recorded for so many locks, the most recently released ones. */
    static final int LOCKS = 1_000;

    private final Duration lately;
    private final Map<String, Long> releasedAt = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > LOCKS;
        }
    });

    /** @param lately for how long a release is remembered */
    public RecentReleases(Duration lately) {
        this.lately = lately;
    }

    /**
     * Records that the lock is released, and that no request of another process has been seen.
     *
     * @param now monotonic, in nanoseconds
     * @return whether a recent release of the lock was already recorded
     */
    public boolean recordRelease(String lockId, long now) {
        Long before = releasedAt.remove(lockId);
        releasedAt.put(lockId, now);
        return before != null && now - before < lately.toNanos();
    }

    /** Drops the record, because another process requests the lock. */
    public void forget(String lockId) {
        releasedAt.remove(lockId);
    }
}

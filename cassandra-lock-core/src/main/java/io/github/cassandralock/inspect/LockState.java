package io.github.cassandralock.inspect;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who holds one lock and who waits for it, as reads of Cassandra showed it. It may be outdated.
 *
 * @param lockId the lock
 * @param algorithm the source
 * @param holders one if the lock is held exclusively, several if their modes are compatible; in the order of the queue; at most
 *     {@link #MAX_HOLDERS}. Empty if nobody has the lock, or if it is just being decided
 * @param holderCount how many have the lock
 * @param queue requests without the lock, in the order in which they get it; at most {@link #MAX_ENTRIES}
 * @param queueLength how many requests have not got the lock
 * @param lastToken the highest fencing token that a holder so far may have shown; empty if none was requested
 * @param sessions of the holders and of the requests in the queue
 * @param underOther the state of the lock under the other algorithm of a migration
 */
public record LockState(
        String lockId,
        String algorithm,
        List<QueueEntry> holders,
        int holderCount,
        List<QueueEntry> queue,
        int queueLength,
        OptionalLong lastToken,
        List<SessionInfo> sessions,
        Optional<LockState> underOther) {

    /** The most holders that are shown. More than waiters, because a force-release acts on the holders that are shown. */
    public static final int MAX_HOLDERS = 1_000;

    /** How many waiters are shown at most. */
    public static final int MAX_ENTRIES = 100;

    /**
     * Returns the state of a lock under an algorithm without sessions and tokens.
     *
     * @param lockId the lock
     * @param algorithm the source
     * @param holder empty if nobody has the lock
     * @param waiting all requests without the lock
     * @return the state
     */
    public static LockState withoutSessions(
            String lockId, String algorithm, Optional<QueueEntry> holder, List<QueueEntry> waiting) {
        return new LockState(
                lockId,
                algorithm,
                holder.stream().toList(),
                holder.isPresent() ? 1 : 0,
                waiting.stream().limit(MAX_ENTRIES).toList(),
                waiting.size(),
                OptionalLong.empty(),
                List.of(),
                Optional.empty());
    }

    /**
     * Returns whether somebody has the lock, also under the other algorithm of a migration.
     *
     * @return false if it is free, or is just being decided
     */
    public boolean isLocked() {
        return holderCount > 0 || underOther.filter(LockState::isLocked).isPresent();
    }

    /**
     * Returns this state, with the state under the other algorithm of a migration.
     *
     * @param other the state under that
     * @return both
     */
    public LockState beside(LockState other) {
        return new LockState(
                lockId, algorithm, holders, holderCount, queue, queueLength, lastToken, sessions, Optional.of(other));
    }
}

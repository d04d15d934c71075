package io.github.cassandralock.internal.inspect;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who holds one lock and who waits for it, as reads of Cassandra showed it. It may be over when it is looked at.
 *
 * @param algorithm which says so
 * @param holder empty if nobody has the lock, or if it is just being decided
 * @param queue those who want the lock, in the order in which they get it; at most {@link #MOST_ENTRIES}
 * @param queueLength how many want the lock
 * @param lastToken the highest fencing token that a holder so far may have shown; empty if none was asked for
 * @param sessions of the holder and of those in the queue
 * @param underOther the same lock under the other algorithm of a migration
 */
public record LockState(
        String algorithm,
        Optional<QueueEntry> holder,
        List<QueueEntry> queue,
        int queueLength,
        OptionalLong lastToken,
        List<SessionInfo> sessions,
        Optional<LockState> underOther) {

    /** So many waiters are shown at most. */
    public static final int MOST_ENTRIES = 100;

    /** The state of a lock under an algorithm without sessions and tokens. */
    public static LockState withoutSessions(String algorithm, Optional<QueueEntry> holder, List<QueueEntry> waiting) {
        return new LockState(
                algorithm,
                holder,
                waiting.stream().limit(MOST_ENTRIES).toList(),
                waiting.size(),
                OptionalLong.empty(),
                List.of(),
                Optional.empty());
    }

    /** The same, with the state under the other algorithm of a migration. */
    public LockState beside(LockState other) {
        return new LockState(algorithm, holder, queue, queueLength, lastToken, sessions, Optional.of(other));
    }
}

package io.github.cassandralock.observation;

import org.jspecify.annotations.Nullable;

/** What is known about a lock that is held, for conventions and handlers of {@link LockObservation#HOLD}. */
public final class LockHoldContext extends LockContext<LockHoldContext.Outcome> {

    /** How a hold may end. */
    public enum Outcome {

        /** The lock was held until it was closed. */
        RELEASED,

        /** The lock was lost before it was closed: another process may have had it meanwhile. */
        LOST
    }

    /**
     * Creates the context of a hold that begins.
     *
     * @param lockId the lock
     * @param lockName the name that {@link LockNames} gives the lock; null if nothing names locks
     */
    public LockHoldContext(String lockId, @Nullable String lockName) {
        super(lockId, lockName);
    }
}

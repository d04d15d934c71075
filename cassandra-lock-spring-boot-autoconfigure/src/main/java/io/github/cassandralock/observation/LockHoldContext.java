package io.github.cassandralock.observation;

import io.github.cassandralock.LockMode;
import org.jspecify.annotations.Nullable;

/** The data of a held lock, for conventions and handlers of {@link LockObservation#HOLD}. */
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
     * @param mode how it is held
     * @param lockName the name that {@link LockNames} gives the lock; null if nothing names locks
     */
    public LockHoldContext(String lockId, LockMode mode, @Nullable String lockName) {
        super(lockId, mode, lockName);
    }
}

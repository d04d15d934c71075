package io.github.cassandralock.observation;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockMode;
import org.jspecify.annotations.Nullable;

/** The data of a call for a lock, for conventions and handlers of {@link LockObservation#WAIT}. */
public final class LockWaitContext extends LockContext<LockWaitContext.Outcome> {

    /** How a call for a lock may end. */
    public enum Outcome {

        /** The caller has the lock. */
        ACQUIRED,

        /** The lock was taken, and the call does not wait. */
        REFUSED,

        /** The lock was not granted in time. */
        TIMED_OUT,

        /** The waiting thread was interrupted. */
        INTERRUPTED,

        /** The caller has ended its future, for example by cancelling it. */
        CANCELLED,

        /** Cassandra could not be used, the lock was lost before the caller had it, or the locker was closed. */
        FAILED
    }

    private final Strategy strategy;

    /**
     * Creates the context of a call that begins.
     *
     * @param lockId the lock
     * @param strategy whether the call waits
     * @param mode how it is to be held
     * @param lockName the name that {@link LockNames} gives the lock; null if nothing names locks
     */
    public LockWaitContext(String lockId, Strategy strategy, LockMode mode, @Nullable String lockName) {
        super(lockId, mode, lockName);
        this.strategy = strategy;
    }

    /**
     * Whether the call waits for a lock that is taken.
     *
     * @return the strategy
     */
    public Strategy getStrategy() {
        return strategy;
    }
}

package io.github.cassandralock.observation;

import io.micrometer.observation.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known about any observation of a lock.
 *
 * @param <O> how it may end
 */
abstract sealed class LockContext<O extends Enum<O>> extends Observation.Context
        permits LockWaitContext, LockHoldContext {

    private final String lockId;
    private final @Nullable String lockName;
    private volatile @Nullable O outcome;

    LockContext(String lockId, @Nullable String lockName) {
        this.lockId = lockId;
        this.lockName = lockName;
    }

    /**
     * The lock.
     *
     * @return its id
     */
    public String getLockId() {
        return lockId;
    }

    /**
     * The name of the lock.
     *
     * @return what the {@link LockNames} bean says; empty if there is none
     */
    public Optional<String> getLockName() {
        return Optional.ofNullable(lockName);
    }

    /**
     * How it has ended.
     *
     * @return the outcome; empty before the end
     */
    public Optional<O> getOutcome() {
        return Optional.ofNullable(outcome);
    }

    /**
     * Notes how it has ended.
     *
     * @param end the outcome
     */
    public void setOutcome(O end) {
        outcome = end;
    }
}

package io.github.cassandralock.observation;

import io.github.cassandralock.LockMode;
import io.micrometer.observation.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The data of any observation of a lock.
 *
 * @param <O> how it may end
 */
abstract sealed class LockContext<O extends Enum<O>> extends Observation.Context
        permits LockWaitContext, LockHoldContext {

    private final String lockId;
    private final LockMode mode;
    private final @Nullable String lockName;
    private volatile @Nullable O outcome;

    LockContext(String lockId, LockMode mode, @Nullable String lockName) {
        this.lockId = lockId;
        this.mode = mode;
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
     * How the lock is requested or held.
     *
     * @return the mode
     */
    public LockMode getMode() {
        return mode;
    }

    /**
     * The name of the lock.
     *
     * @return what the {@link LockNames} bean returns; empty if there is none
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
     * Records how it has ended.
     *
     * @param end the outcome
     */
    public void setOutcome(O end) {
        outcome = end;
    }
}

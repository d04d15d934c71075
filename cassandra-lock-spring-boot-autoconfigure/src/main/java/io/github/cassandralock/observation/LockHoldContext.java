package io.github.cassandralock.observation;

import io.micrometer.observation.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known about a lock that is held, for conventions and handlers of {@link LockObservation#HOLD}. */
public final class LockHoldContext extends Observation.Context {

    /** How a hold may end. */
    public enum Outcome {

        /** The lock was held until it was closed. */
        RELEASED,

        /** The lock was lost before it was closed: another process may have had it meanwhile. */
        LOST
    }

    private final String lockId;
    private final @Nullable String lockName;
    private volatile @Nullable Outcome outcome;

    /**
     * Creates the context of a hold that begins.
     *
     * @param lockId the lock
     * @param lockName the name that {@link LockNames} gives the lock; null if nothing names locks
     */
    public LockHoldContext(String lockId, @Nullable String lockName) {
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
     * How the hold has ended.
     *
     * @return the outcome; empty before the end
     */
    public Optional<Outcome> getOutcome() {
        return Optional.ofNullable(outcome);
    }

    /**
     * Notes how the hold has ended.
     *
     * @param end the outcome
     */
    public void setOutcome(Outcome end) {
        outcome = end;
    }
}

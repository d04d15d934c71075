package io.github.cassandralock.observation;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import java.util.Optional;
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

    /** Null unless the lock was lost. */
    private volatile LockLoss.@Nullable Reason loss;

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

    /**
     * Returns why the lock was lost.
     *
     * @return empty before the end, and if it was not lost
     */
    public Optional<LockLoss.Reason> getLoss() {
        return Optional.ofNullable(loss);
    }

    /**
     * Sets the end of the hold.
     *
     * @param reason why the lock was lost; empty if it was held until it was closed
     */
    public void end(Optional<LockLoss.Reason> reason) {
        loss = reason.orElse(null);
        setOutcome(reason.isPresent() ? Outcome.LOST : Outcome.RELEASED);
    }
}

package io.github.cassandralock.internal.observation;

import io.github.cassandralock.observation.DefaultLockHoldObservationConvention;
import io.github.cassandralock.observation.DefaultLockWaitObservationConvention;
import io.github.cassandralock.observation.LockHoldObservationConvention;
import io.github.cassandralock.observation.LockNames;
import io.github.cassandralock.observation.LockWaitObservationConvention;
import io.micrometer.common.KeyValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an application may replace: names and key values.
 *
 * @param ownWait the application's convention; without one, a global convention of the registry counts, and then the default
 * @param ownHold the same
 * @param names null: locks have no names
 */
public record Conventions(
        @Nullable LockWaitObservationConvention ownWait,
        @Nullable LockHoldObservationConvention ownHold,
        @Nullable LockNames names) {

    static final LockWaitObservationConvention DEFAULT_WAIT = new DefaultLockWaitObservationConvention();
    static final LockHoldObservationConvention DEFAULT_HOLD = new DefaultLockHoldObservationConvention();

    /** The convention of timers that no observation makes. */
    LockWaitObservationConvention waiting() {
        return ownWait == null ? DEFAULT_WAIT : ownWait;
    }

    LockHoldObservationConvention holding() {
        return ownHold == null ? DEFAULT_HOLD : ownHold;
    }

    /** Null if nothing names locks. */
    @Nullable
    String name(String lockId) {
        return names == null ? null : Optional.ofNullable(names.nameOf(lockId)).orElse(KeyValue.NONE_VALUE);
    }
}

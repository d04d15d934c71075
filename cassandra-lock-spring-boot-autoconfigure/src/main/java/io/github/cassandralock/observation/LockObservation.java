package io.github.cassandralock.observation;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;
import java.util.Locale;

/** The observations of locks: one for the wait, one for the time for which the lock is held. */
public enum LockObservation implements ObservationDocumentation {

    /** A call for a lock, from its begin to the lock, or to the reason why there is none. */
    WAIT,

    /** The time for which a caller has a lock, from the end of the wait to the close. */
    HOLD;

    @Override
    public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
        return switch (this) {
            case WAIT -> DefaultLockWaitObservationConvention.class;
            case HOLD -> DefaultLockHoldObservationConvention.class;
        };
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
        return switch (this) {
            case WAIT -> WaitKeyNames.values();
            case HOLD -> HoldKeyNames.values();
        };
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
        return HighCardinalityKeyNames.values();
    }

    /** The constant of a key, which has the constant's name in lower case. Every observation has the key, unless nothing names locks. */
    interface NamedKey extends KeyName {

        /**
         * The name of the constant.
         *
         * @return the name
         */
        String name();

        @Override
        default String asString() {
            return name().toLowerCase(Locale.ROOT);
        }

        @Override
        default boolean isRequired() {
            return !name().equals("LOCK");
        }
    }

    /** The low-cardinality key names of {@link #WAIT}. */
    public enum WaitKeyNames implements NamedKey {

        /** How the wait ended: a {@link LockWaitContext.Outcome} in lower case, or {@code none} before its end. */
        OUTCOME,

        /** Whether the call waits for a lock that is taken: {@code get_lock} or {@code try_get_lock}. */
        STRATEGY,

        /** How the lock is requested: a {@link LockMode} in lower case, such as {@code protected_read}. */
        MODE,

        /** The name of the lock; only if there is a {@link LockNames} bean. */
        LOCK
    }

    /** The low-cardinality key names of {@link #HOLD}. */
    public enum HoldKeyNames implements NamedKey {

        /** How the hold ended: a {@link LockHoldContext.Outcome} in lower case, or {@code none} before its end. */
        OUTCOME,

        /** Why the lock was lost: a {@link LockLoss.Reason} in lower case; {@code none} if it was not. */
        LOSS,

        /** How the lock is held: a {@link LockMode} in lower case, such as {@code protected_read}. */
        MODE,

        /** The name of the lock; only if there is a {@link LockNames} bean. */
        LOCK
    }

    /** The high-cardinality key names of both observations. Traces show them; meters do not have them. */
    public enum HighCardinalityKeyNames implements KeyName {

        /** The id of the lock. */
        LOCK_ID;

        @Override
        public String asString() {
            return "lock.id";
        }
    }
}

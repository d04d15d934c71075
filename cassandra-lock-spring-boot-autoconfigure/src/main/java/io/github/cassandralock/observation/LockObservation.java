package io.github.cassandralock.observation;

import io.github.cassandralock.LockMode;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of locks: one for the wait, one for the time for which the lock is held. */
public enum LockObservation implements ObservationDocumentation {

    /** A call for a lock, from its begin to the lock, or to the reason why there is none. */
    WAIT {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultLockWaitObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return WaitKeyNames.values();
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return HighCardinalityKeyNames.values();
        }
    },

    /** The time for which a caller has a lock: from the end of the wait to the close of the lock. */
    HOLD {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultLockHoldObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return HoldKeyNames.values();
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return HighCardinalityKeyNames.values();
        }
    };

    /** The low-cardinality key names of {@link #WAIT}. */
    public enum WaitKeyNames implements KeyName {

        /** How the wait ended: a {@link LockWaitContext.Outcome} in lower case, or {@code none} before its end. */
        OUTCOME {
            @Override
            public String asString() {
                return "outcome";
            }
        },

        /** Whether the call waits for a lock that is taken: {@code get_lock} or {@code try_get_lock}. */
        STRATEGY {
            @Override
            public String asString() {
                return "strategy";
            }
        },

        /** How the lock is asked for: a {@link LockMode} in lower case, such as {@code protected_read}. */
        MODE {
            @Override
            public String asString() {
                return "mode";
            }
        },

        /** The name of the lock; only if there is a {@link LockNames} bean. */
        LOCK {
            @Override
            public String asString() {
                return "lock";
            }

            @Override
            public boolean isRequired() {
                return false;
            }
        }
    }

    /** The low-cardinality key names of {@link #HOLD}. */
    public enum HoldKeyNames implements KeyName {

        /** How the hold ended: a {@link LockHoldContext.Outcome} in lower case, or {@code none} before its end. */
        OUTCOME {
            @Override
            public String asString() {
                return "outcome";
            }
        },

        /** How the lock is held: a {@link LockMode} in lower case, such as {@code protected_read}. */
        MODE {
            @Override
            public String asString() {
                return "mode";
            }
        },

        /** The name of the lock; only if there is a {@link LockNames} bean. */
        LOCK {
            @Override
            public String asString() {
                return "lock";
            }

            @Override
            public boolean isRequired() {
                return false;
            }
        }
    }

    /** The high-cardinality key names of both observations. Traces show them; meters do not have them. */
    public enum HighCardinalityKeyNames implements KeyName {

        /** The id of the lock. */
        LOCK_ID {
            @Override
            public String asString() {
                return "lock.id";
            }
        }
    }
}

package io.github.cassandralock.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names {@link LockObservation#WAIT} and its key values. A bean of this type replaces {@link DefaultLockWaitObservationConvention}.
 * Its low-cardinality key values are also the tags of the timer. Must be thread-safe, and return the same key names every time.
 */
public interface LockWaitObservationConvention extends ObservationConvention<LockWaitContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockWaitContext;
    }
}

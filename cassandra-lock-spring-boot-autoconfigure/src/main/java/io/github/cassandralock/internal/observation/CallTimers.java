package io.github.cassandralock.internal.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.time.Duration;

/**
 * Times waits and holds in meters, where observations do not: an observation may be switched off, or its registry may have no
 * handler that makes meters. Thread-safe; does not block.
 */
public interface CallTimers {

    /** For applications without meters. */
    CallTimers OFF = new CallTimers() {
        @Override
        public boolean areOn() {
            return false;
        }

        @Override
        public void record(String name, KeyValues values, Duration took, Observation.Context context) {}
    };

    /** Whether there are meters at all. */
    boolean areOn();

    /**
     * Records a duration, unless a handler of observations has done so.
     *
     * @param name of the timer
     * @param values its tags, without the one for the error
     * @param context of the observation, which is about to be stopped if it is one
     */
    void record(String name, KeyValues values, Duration took, Observation.Context context);
}

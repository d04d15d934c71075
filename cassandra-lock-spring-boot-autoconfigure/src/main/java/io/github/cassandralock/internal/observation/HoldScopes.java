package io.github.cassandralock.internal.observation;

import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Timers;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens and closes scopes. What a handler of observations throws is logged, and the work goes on. Thread-safe. */
public final class HoldScopes {

    private static final Logger log = LoggerFactory.getLogger(HoldScopes.class);

    private final ObservationRegistry registry;
    private final RepeatedWarning failed;

    public HoldScopes(ObservationRegistry registry, Timers timers) {
        this.registry = registry;
        this.failed = new RepeatedWarning(log, timers);
    }

    /** Makes the observation the present one on this thread; returns what ends that, on the same thread. */
    public Runnable open(Observation observation) {
        Observation.Scope before = registry.getCurrentObservationScope();
        try {
            Observation.Scope scope = observation.openScope();
            return () -> close(scope, before);
        } catch (RuntimeException | Error e) {
            recover(e, before);
            return HoldScopes::nothing;
        }
    }

    private void close(Observation.Scope scope, Observation.@Nullable Scope before) {
        try {
            scope.close();
        } catch (RuntimeException | Error e) {
            recover(e, before);
        }
    }

    /** A scope whose handler has failed stays the present one of its thread; what the thread does next is not part of the hold. */
    private void recover(Throwable failure, Observation.@Nullable Scope before) {
        registry.setCurrentObservationScope(before);
        failed.warn(
                "A handler of observations failed on the scope of a lock's hold; the lock is not affected", failure);
    }

    private static void nothing() {}
}

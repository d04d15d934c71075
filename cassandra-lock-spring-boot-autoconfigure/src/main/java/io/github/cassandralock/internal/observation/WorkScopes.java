package io.github.cassandralock.internal.observation;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.aop.WorkTracing;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Timers;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Traces the work of annotated methods by scopes of the locker's observations. If a handler of observations throws, that is logged,
 * and the work continues. Thread-safe.
 */
public final class WorkScopes implements WorkTracing {

    private static final Logger log = LoggerFactory.getLogger(WorkScopes.class);

    private final LockObservations observations;
    private final ObservationRegistry registry;
    private final RepeatedWarning failed;

    public WorkScopes(LockObservations observations, Timers timers) {
        this.observations = observations;
        this.registry = observations.registry();
        this.failed = new RepeatedWarning(log, timers);
    }

    @Override
    public @Nullable Object hold(RemoteLock lock) {
        return observations.hold(lock);
    }

    @Override
    public Scope open(@Nullable Object observation) {
        if (observation instanceof Observation present) {
            Observation.Scope before = registry.getCurrentObservationScope();
            try {
                Observation.Scope scope = present.openScope();
                return () -> close(scope, before);
            } catch (RuntimeException | Error e) {
                recover(e, before);
            }
        }
        return Scope.NONE;
    }

    private void close(Observation.Scope scope, Observation.@Nullable Scope before) {
        try {
            scope.close();
        } catch (RuntimeException | Error e) {
            recover(e, before);
        }
    }

    /**
     * Restores the earlier scope. A scope whose handler has failed would stay present on its thread, although the thread's next
     * work is not part of the hold.
     */
    private void recover(Throwable failure, Observation.@Nullable Scope before) {
        registry.setCurrentObservationScope(before);
        failed.warn(
                "A handler of observations failed on the scope of a lock's hold; the lock is not affected", failure);
    }
}

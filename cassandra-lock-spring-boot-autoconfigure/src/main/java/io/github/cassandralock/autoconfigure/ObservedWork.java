package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.aop.WorkTracing;
import io.github.cassandralock.internal.observation.HoldScopes;
import io.github.cassandralock.internal.observation.LockObservations;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** The tracing of work by Micrometer's observations. */
record ObservedWork(LockObservations observations, HoldScopes scopes) implements WorkTracing {

    @Override
    public @Nullable Object hold(RemoteLock lock) {
        return observations.hold(lock).orElse(null);
    }

    @Override
    public Scope open(@Nullable Object observation) {
        return observation instanceof Observation present ? scopes.open(present)::run : Scope.NONE;
    }
}

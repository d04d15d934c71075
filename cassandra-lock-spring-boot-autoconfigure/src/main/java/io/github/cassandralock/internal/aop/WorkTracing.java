package io.github.cassandralock.internal.aop;

import io.github.cassandralock.RemoteLock;
import org.jspecify.annotations.Nullable;

/**
 * Places the work of a method in a trace below the time for which its lock is held. The observations belong to the locker and are
 * opaque here. By default nothing is traced. No method throws. Thread-safe.
 */
public interface WorkTracing {

    /** The key of the present observation in Reactor's context; Micrometer and Spring use it as well. */
    String CONTEXT_KEY = "micrometer.observation";

    /** For applications without traces. */
    WorkTracing OFF = new WorkTracing() {};

    /** The time, on one thread, for which an observation is the present one, or a call the innermost one. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        Scope NONE = () -> {};

        @Override
        void close();
    }

    /** The observation of the time for which this lock is held; null if there is none. */
    default @Nullable Object hold(RemoteLock lock) {
        return null;
    }

    /** Makes an observation the present one on this thread. Does nothing if it is null or something else. */
    default Scope open(@Nullable Object observation) {
        return Scope.NONE;
    }
}

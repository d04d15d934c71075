package io.github.cassandralock.internal.aop;

import io.github.cassandralock.MultiLockRequest;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Returns the names of the locks of each call of one annotated method. Thread-safe. */
interface LockName {

    /**
     * Returns the locks of one call, at least one, by their ids or as nodes of paths. The caller adds the other
     * attributes of the annotation to the request: mode, permits, minimum time and longest time.
     *
     * @throws IllegalArgumentException if there is none; the message has the method and the reason
     */
    MultiLockRequest evaluate(LockKeyRoot root, Method method, @Nullable Object[] args);
}

package io.github.cassandralock.internal.aop;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives the lock ids of each call of one annotated method. Thread-safe. */
interface LockName {

    /**
     * The lock ids for one call: at least one.
     *
     * @throws IllegalArgumentException if there is none; the message names the method and says why
     */
    List<String> evaluate(LockKeyRoot root, Method method, @Nullable Object[] args);
}

package io.github.cassandralock.internal.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Gives the names of the locks of each call of one annotated method. Thread-safe. */
interface LockName {

    /**
     * The names for one call: at least one.
     *
     * @throws IllegalArgumentException if there is none; the message names the method and says why
     */
    NamedLocks evaluate(LockKeyRoot root, Method method, @Nullable Object[] args);
}

package io.github.cassandralock.internal.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Gives the lock id of each call of one annotated method. Thread-safe. */
interface LockName {

    /**
     * The lock id for one call.
     *
     * @throws IllegalArgumentException if there is none; the message names the method and says why
     */
    String evaluate(LockKeyRoot root, Method method, @Nullable Object[] args);
}

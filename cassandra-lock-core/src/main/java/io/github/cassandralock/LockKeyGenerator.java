package io.github.cassandralock;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Computes lock ids for annotated methods, where an expression would be too long or would be repeated. {@link
 * DistributedLock#keyGenerator()} names a bean of this type. Called on the thread that calls the method, once for each call,
 * before the lock is taken. Implementations must be thread-safe and quick. An exception that they throw reaches the caller, and
 * the method does not run.
 */
@FunctionalInterface
public interface LockKeyGenerator {

    /**
     * Returns the lock id for one call.
     *
     * @param target the bean behind the proxy; null for a proxy without one, such as that of a declarative client
     * @param method the called method
     * @param args the arguments of the call; a copy
     * @return the lock id; null or a blank text makes the call throw {@link IllegalArgumentException}, and the method does not
     *     run
     */
    @Nullable
    String generate(@Nullable Object target, Method method, @Nullable Object... args);
}

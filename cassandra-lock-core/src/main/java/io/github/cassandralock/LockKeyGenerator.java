package io.github.cassandralock;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Computes lock ids for annotated methods, where an expression would be too long or would be repeated. {@link
 * DistributedLock#keyGenerator()} names a bean of this type. Each call of the method calls it once, on the same thread, before the
 * lock is taken. Implementations must be thread-safe and quick. Their exceptions reach the caller, and the method does not run.
 */
@FunctionalInterface
public interface LockKeyGenerator {

    /**
     * Returns the lock id for one call.
     *
     * @param target the bean behind the proxy; null for a proxy without a bean, such as a declarative client
     * @param method the called method
     * @param args the arguments of the call; a copy
     * @return the lock id; if it is null or blank, the call throws {@link IllegalArgumentException} and the method does not run
     */
    @Nullable
    String generate(@Nullable Object target, Method method, @Nullable Object... args);
}

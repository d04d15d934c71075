package io.github.cassandralock.observation;

import org.jspecify.annotations.Nullable;

/**
 * Names locks for meters and traces, as the key value {@code lock}. A bean of this type switches that key value on. It is off by
 * default, because ids of locks are usually too many for the tags of meters.
 *
 * <p>Return few names, such as {@code account} for all of {@code account:1}, {@code account:2}, and so on. Each name is a time
 * series of its own in every instance. The method is called for every call for a lock, on the caller's thread, and must be quick
 * and thread-safe. If it throws, the call continues, and is neither measured nor traced.
 */
@FunctionalInterface
public interface LockNames {

    /**
     * Names a lock.
     *
     * @param lockId the lock
     * @return its name, or null for {@code none}
     */
    @Nullable
    String nameOf(String lockId);
}

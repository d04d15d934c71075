package io.github.cassandralock.observation;

import org.jspecify.annotations.Nullable;

/**
 * Gives locks the names under which meters count them and traces show them, as the key value {@code lock}. A bean of this type
 * switches that key value on; without one there is none, because ids of locks are usually too many for the tags of meters.
 *
 * <p>Return few names, such as {@code account} for all of {@code account:1}, {@code account:2}, …: each name is a time series of
 * its own in every instance. The method is called for every call for a lock, on the caller's thread, and must be quick and
 * thread-safe. If it throws, the call goes on, and is neither measured nor traced.
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

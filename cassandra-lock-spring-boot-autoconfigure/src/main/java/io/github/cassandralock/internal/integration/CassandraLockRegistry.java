package io.github.cassandralock.internal.integration;

import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.key.KeyParts;
import io.github.cassandralock.internal.key.UnusablePartException;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * The lock registry of Spring Integration 6.5 and 7. Version 7 has type parameters, which the JVM ignores, and one more method,
 * which is implemented here. Thread-safe.
 */
public class CassandraLockRegistry implements ExpirableLockRegistry, RenewableLockRegistry {

    private final ReentrantLocks locks;
    private final String prefix;

    /**
     * Creates a registry whose locks are acquired by this locker.
     *
     * @param prefix begins the lock ids, so that a key differs from a lock id of the application
     */
    public CassandraLockRegistry(RemoteLocker locker, String prefix) {
        this.locks = new ReentrantLocks(locker);
        this.prefix = prefix;
    }

    /**
     * Returns the lock of this key. Acquires nothing and does no I/O.
     *
     * @throws IllegalArgumentException if the key makes no lock id, or its type cannot be a part of an annotation's key
     */
    @Override
    public Lock obtain(@Nullable Object lockKey) {
        return new RegistryLock(locks.get(prefix + text(lockKey)));
    }

    /** Refuses other objects, whose text may differ in each process: they would lock nothing. */
    private static String text(@Nullable Object lockKey) {
        if (lockKey == null) {
            throw new IllegalArgumentException("The lock key is null; use a text that names the resource");
        }
        try {
            return KeyParts.text(lockKey, "lockKey");
        } catch (UnusablePartException e) {
            throw new IllegalArgumentException(e.getMessage() + ". " + e.advice(), e);
        }
    }

    /** Nothing to do: the registry stores nothing for a lock that no thread holds. */
    @Override
    public void expireUnusedOlderThan(long age) {}

    /**
     * Checks that the calling thread holds the lock. Renews nothing: leases are renewed for as long as the process runs.
     *
     * @throws IllegalStateException if the thread does not hold the lock, or its lease is lost
     */
    @Override
    public void renewLock(Object lockKey) {
        if (!locks.get(prefix + text(lockKey)).isHeldByCurrentThread()) {
            throw new IllegalStateException(
                    "Lock '" + prefix + text(lockKey)
                            + "' cannot be renewed, because this thread does not hold it, or its lease was lost; stop the work");
        }
    }

    /** Names the prefix of its lock ids. */
    @Override
    public String toString() {
        return "CassandraLockRegistry[" + prefix + "]";
    }

    /**
     * Checks, for version 7, that the calling thread holds the lock.
     *
     * @param ttl without meaning: a lease is renewed for as long as the process runs
     */
    public void renewLock(Object lockKey, Duration ttl) {
        renewLock(lockKey);
    }
}

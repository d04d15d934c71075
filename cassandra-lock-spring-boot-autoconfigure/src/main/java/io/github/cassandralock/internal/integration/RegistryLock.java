package io.github.cassandralock.internal.integration;

import io.github.cassandralock.LockException;
import io.github.cassandralock.RemoteReentrantLock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.springframework.dao.CannotAcquireLockException;

/** A lock that fails as users of a lock registry expect. */
@SuppressWarnings("LockNotBeforeTry") // callers unlock
final class RegistryLock implements Lock {

    private final RemoteReentrantLock lock;

    RegistryLock(RemoteReentrantLock lock) {
        this.lock = lock;
    }

    @Override
    public void lock() {
        try {
            lock.lock();
        } catch (LockException e) {
            throw notAcquired(e);
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        try {
            lock.lockInterruptibly();
        } catch (LockException e) {
            throw notAcquired(e);
        }
    }

    @Override
    public boolean tryLock() {
        try {
            return lock.tryLock();
        } catch (LockException e) {
            throw notAcquired(e);
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        try {
            return lock.tryLock(time, unit);
        } catch (LockException e) {
            throw notAcquired(e);
        }
    }

    private static CannotAcquireLockException notAcquired(LockException e) {
        return new CannotAcquireLockException(String.valueOf(e.getMessage()), e);
    }

    @Override
    public void unlock() {
        lock.unlock();
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    /** Names the lock. */
    @Override
    public String toString() {
        return "RegistryLock[" + lock + "]";
    }
}

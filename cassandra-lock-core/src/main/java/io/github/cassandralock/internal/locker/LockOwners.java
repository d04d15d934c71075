package io.github.cassandralock.internal.locker;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Which thread took which lock, to refuse a call in which a thread would wait for itself. Entries end with the lock. */
final class LockOwners {

    private record Holding(String lockId, Thread thread) {}

    private final ConcurrentMap<Holding, LockHandle> locks = new ConcurrentHashMap<>();

    void add(LockHandle lock) {
        lock.takenBy(Thread.currentThread());
        locks.put(new Holding(lock.getLockId(), Thread.currentThread()), lock);
        if (lock.isClosing()) {
            remove(lock);
        }
    }

    /** To be called when the release begins. */
    void remove(LockHandle lock) {
        Thread taker = lock.taker();
        if (taker != null) {
            locks.remove(new Holding(lock.getLockId(), taker), lock);
        }
    }

    /** @throws IllegalStateException if the current thread took the lock and still holds it */
    void refuseWaitingForOneself(String lockId) {
        LockHandle lock = locks.get(new Holding(lockId, Thread.currentThread()));
        if (lock != null && lock.isHeld()) {
            throw new IllegalStateException("Thread '" + Thread.currentThread().getName()
                    + "' already holds lock '" + lockId
                    + "' and would wait for itself for ever: locks are not reentrant. Pass the RemoteLock on, close it"
                    + " first, or use @DistributedLock, whose nested calls share the lock");
        }
    }
}

package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;

/** Which thread took which lock, to refuse a call in which a thread would wait for itself. Entries end with the lock. */
final class LockOwners {

    private record Holding(String lockId, Thread thread) {}

    /** A thread may hold a lock more than once: {@code tryGetLock} grants it again in a mode that is compatible. */
    private final Grouped<Holding, LockHandle> locks = new Grouped<>();

    void add(LockHandle lock) {
        lock.takenBy(Thread.currentThread());
        locks.add(new Holding(lock.getLockId(), Thread.currentThread()), lock);
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

    /**
     * Also in a compatible mode the thread may wait for itself: behind a caller that waits for the thread's first hold to end.
     *
     * @throws IllegalStateException if the current thread took the lock and still holds it, in whichever mode
     */
    void refuseWaitingForOneself(LockRequest request) {
        for (LockHandle lock : locks.get(new Holding(request.lockId(), Thread.currentThread()))) {
            if (lock.isHeld()) {
                throw waitingForOneself(request, lock.mode());
            }
        }
    }

    /**
     * The same for a conversion.
     *
     * @throws IllegalStateException if the current thread holds the lock by another handle in a mode that is not compatible with the
     *     new one
     */
    void refuseWaitingForOneself(LockHandle converted, LockMode mode) {
        for (LockHandle lock : locks.get(new Holding(converted.getLockId(), Thread.currentThread()))) {
            if (lock != converted && lock.isHeld() && !lock.mode().isCompatibleWith(mode)) {
                throw new IllegalStateException(
                        "Thread '" + Thread.currentThread().getName() + "' holds lock '"
                                + converted.getLockId() + "' in mode " + lock.mode()
                                + " by another handle, and a conversion to mode " + mode
                                + " would wait for that for ever: close the other handle first");
            }
        }
    }

    private static IllegalStateException waitingForOneself(LockRequest request, LockMode held) {
        boolean exclusive = held == LockMode.EXCLUSIVE && request.mode() == LockMode.EXCLUSIVE;
        return new IllegalStateException(
                "Thread '" + Thread.currentThread().getName() + "' already holds lock '" + request.lockId()
                        + (exclusive
                                ? "' and would wait for itself for ever: locks are not reentrant."
                                : "' in mode " + held + ", asks for it in mode " + request.mode()
                                        + ", and could wait for itself for ever, behind others that wait for its first"
                                        + " lock: locks are not reentrant.")
                        + (held.covers(request.mode())
                                ? " Pass the RemoteLock on, close it first, or use @DistributedLock, whose nested calls use"
                                        + " the lock of the outer one"
                                : " Close it first, or take the lock in the stronger mode from the beginning"));
    }
}

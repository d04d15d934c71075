package io.github.cassandralock;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * A lock of {@link ReentrantLocks}. It belongs to the thread that took it, which may take it again and must unlock it as often.
 *
 * <p>Methods that take the lock throw {@link LockStoreException} where {@link RemoteLocker} does, and {@link
 * IllegalStateException} if the locker is closed. They throw {@link IllegalStateException} if the thread holds the lock already
 * through the {@link RemoteLocker} or other {@link ReentrantLocks}. The thread would wait for itself. A thread that holds the
 * lock may take it again in a mode that its mode covers ({@link LockMode#covers(LockMode)}). In another mode, the methods throw
 * {@link IllegalStateException}.
 *
 * <p>If the lease is lost while a thread holds the lock, its next use of the lock reports the loss. {@link #lock()} and {@link
 * #lockInterruptibly()} throw {@link LockLostException}, both {@code tryLock} methods return false, and {@link #unlock()} throws
 * {@link ConcurrentModificationException}. After that report, the thread may take the lock anew. Thread-safe.
 */
public final class RemoteReentrantLock implements Lock {

    private final RemoteLocker locker;
    private final LockRequest request;
    private final ThreadHolds holds;

    /** @param holds of all threads and locks */
    RemoteReentrantLock(RemoteLocker locker, LockRequest request, ThreadHolds holds) {
        this.locker = locker;
        this.request = request;
        this.holds = holds;
    }

    /** What a thread finds that requests the lock. */
    private enum Entry {
        /** The thread does not hold the lock. */
        FIRST,
        /** The thread holds the lock, and has taken it once more. */
        AGAIN,
        /** The thread held the lock, whose lease is lost. */
        LOST
    }

    /**
     * Waits until this thread holds the lock. Blocks the thread. An interrupt does not end the wait. The thread queues anew,
     * behind all that wait, and its interrupt flag is set afterwards.
     *
     * @throws LockLostException if this thread holds the lock and its lease is lost
     */
    @Override
    public void lock() {
        if (isFirst()) {
            hold(uninterruptibly(() -> locker.getLock(request)));
        }
    }

    /**
     * Waits until this thread holds the lock. Blocks the thread.
     *
     * @throws InterruptedException if the thread is or was interrupted; it has left the queue, and its interrupt flag is
     *     cleared
     * @throws LockLostException if this thread holds the lock and its lease is lost
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        throwIfInterrupted();
        if (isFirst()) {
            hold(interruptibly(() -> locker.getLock(request)));
        }
    }

    /**
     * Takes the lock if it is free, as {@link RemoteLocker#tryGetLock(String)} does. Blocks the thread while Cassandra answers,
     * and does not wait for others. An interrupt does not end the call, and the thread's interrupt flag is set afterwards.
     *
     * @return whether this thread holds the lock; false if it held the lock and the lease is lost
     */
    @Override
    public boolean tryLock() {
        Entry entry = enter();
        return entry == Entry.FIRST
                ? holdIfTaken(uninterruptibly(() -> locker.tryGetLock(request)))
                : entry == Entry.AGAIN;
    }

    /**
     * Waits until this thread holds the lock, for at most the given time. Blocks the thread.
     *
     * @param time the longest time to wait. If it is zero or less, the method does what {@link #tryLock()} does
     * @return whether this thread holds the lock; false if it held the lock and the lease is lost
     * @throws InterruptedException if the thread is or was interrupted; it has left the queue, and its interrupt flag is
     *     cleared
     * @throws LockTimeoutException if Cassandra did not answer until the time had passed
     */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        throwIfInterrupted();
        Entry entry = enter();
        return entry == Entry.FIRST ? taken(Duration.ofNanos(unit.toNanos(time))) : entry == Entry.AGAIN;
    }

    private boolean taken(Duration timeout) throws InterruptedException {
        boolean waits = !timeout.isZero() && !timeout.isNegative();
        return holdIfTaken(
                interruptibly(() -> waits ? locker.tryGetLock(request, timeout) : locker.tryGetLock(request)));
    }

    /**
     * Unlocks once. When the thread has unlocked as often as it has taken the lock, the lock is released, as {@link
     * RemoteLock#close()} does.
     *
     * @throws IllegalMonitorStateException if this thread does not hold the lock, or its hold does not cover this lock. The mode
     *     is weaker then, or more holders share the lock
     * @throws ConcurrentModificationException if the lease was lost while this thread held the lock. Another holder may have it,
     *     so the work must be undone. The cause is a {@link LockLostException} with the reason. The call counts: the thread
     *     unlocks as often as it has taken the lock, and each of these calls throws
     */
    @Override
    public void unlock() {
        ThreadHold hold = holds.get(request.getLockId());
        if (hold == null) {
            throw notHeld(
                    "does not hold lock '" + request.getLockId() + "'; only the thread that took it can unlock it");
        }
        if (!hold.covers(request)) {
            throw notHeld("holds lock '" + request.getLockId() + "' " + hold.how()
                    + "; unlock the lock that was taken so, and not the lock " + ThreadHold.how(request));
        }
        boolean last = hold.leave();
        LockLostException loss = hold.loss();
        if (last) {
            holds.remove(request.getLockId());
            hold.close();
        }
        if (loss != null) {
            throw new ConcurrentModificationException(loss.getMessage(), loss);
        }
    }

    private static IllegalMonitorStateException notHeld(String what) {
        return new IllegalMonitorStateException(
                "Thread '" + Thread.currentThread().getName() + "' " + what);
    }

    /**
     * Not supported: a condition would have to wake threads of other processes.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("Lock '" + request.getLockId()
                + "' has no conditions, because threads of other processes could not be woken by them");
    }

    /**
     * Returns whether the calling thread holds the lock now. Does no I/O and does not block.
     *
     * @return true if the lease is valid, and the thread's hold covers the mode and the permits of this lock
     */
    public boolean isHeldByCurrentThread() {
        ThreadHold hold = holds.get(request.getLockId());
        return hold != null && hold.isHeld() && hold.covers(request);
    }

    @Override
    public String toString() {
        return "RemoteReentrantLock[" + request.getLockId() + "]";
    }

    private Entry enter() {
        ThreadHold hold = holds.get(request.getLockId());
        if (hold == null || hold.isOver()) {
            return Entry.FIRST;
        }
        if (hold.isHeld() && !hold.covers(request)) {
            throw new IllegalStateException("Thread '" + Thread.currentThread().getName() + "' holds lock '"
                    + request.getLockId() + "' " + hold.how() + ", which does not cover the request "
                    + ThreadHold.how(request) + "; take the lock in the stronger mode, or with fewer permits, first");
        }
        return hold.again() ? Entry.AGAIN : Entry.LOST;
    }

    /** @throws LockLostException if the thread held the lock, whose lease is lost */
    private boolean isFirst() {
        Entry entry = enter();
        if (entry == Entry.LOST) {
            throw new LockLostException(
                    request.getLockId(),
                    "Lock '" + request.getLockId()
                            + "' was lost while this thread held it, so it was not taken again; another holder may have it:"
                            + " stop the work and undo it",
                    reasonOfLoss());
        }
        return entry == Entry.FIRST;
    }

    private LockLoss.Reason reasonOfLoss() {
        ThreadHold hold = holds.get(request.getLockId());
        LockLostException loss = hold == null ? null : hold.loss();
        return loss == null ? LockLoss.Reason.OTHER : loss.getReason();
    }

    private void hold(RemoteLock lock) {
        lock.bindTo(Thread.currentThread());
        holds.put(request.getLockId(), new ThreadHold(lock, request));
    }

    private boolean holdIfTaken(Optional<RemoteLock> lock) {
        lock.ifPresent(this::hold);
        return lock.isPresent();
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private static <T> T interruptibly(Supplier<T> call) throws InterruptedException {
        try {
            return call.get();
        } catch (LockInterruptedException e) {
            Thread.interrupted();
            InterruptedException interrupt = new InterruptedException(e.getMessage());
            interrupt.initCause(e);
            throw interrupt;
        }
    }

    private static <T> T uninterruptibly(Supplier<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return call.get();
                } catch (LockInterruptedException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

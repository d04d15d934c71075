package io.github.cassandralock.test;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.test.InMemoryStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A {@link RemoteLocker} for tests, whose locks are in memory, so that it needs no Cassandra. It consists of the classes of the
 * real locker and of the algorithm {@code ticket}, over tables in memory. Therefore it behaves like the real locker in one
 * process. Lock ids and time-outs are checked. Locks are not reentrant, and fencing tokens rise. Callbacks and listeners run on
 * other threads. Waiters get the lock first come, first served. Leases do not run out, however long a debugger stops the test;
 * {@link #lose(String, String)} takes a lock away on purpose, and {@link #pause(Duration)} all locks.
 *
 * <p>Time passes as the system's clock does. {@link #advance(Duration)} moves it forward. A test then sees the end of {@link
 * LockRequest#holdAtLeast(Duration)}, {@link LockRequest#holdAtMost(Duration)} and asynchronous time-outs without sleeping. Only
 * the time of this locker moves, and not the time of the JVM. A thread that waits with a time-out waits in real time.
 *
 * <p>Locks belong to the object, not to the JVM. Threads, or application contexts that stand for two instances, exclude each other
 * only with one common {@code InMemoryRemoteLocker}. Close it, since it has daemon threads. Thread-safe.
 */
public class InMemoryRemoteLocker implements RemoteLocker, AutoCloseable {

    /** The lease of the constructor without one: the default of {@code cassandra-lock.lease}. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(15);

    /** The longest move of the time by one call. */
    public static final Duration MAX_MOVE = Duration.ofDays(100);

    private final Duration lease;
    private final LockListener[] listeners;
    private final AtomicReference<ReplaceableLocks> locks;
    private volatile boolean closed;

    /**
     * Creates a locker whose locks are all free, with the lease {@link #DEFAULT_LEASE}.
     *
     * @param listeners receive the events of the locks, on a thread of the locker
     */
    public InMemoryRemoteLocker(LockListener... listeners) {
        this(DEFAULT_LEASE, listeners);
    }

    /**
     * Creates a locker whose locks are all free.
     *
     * @param lease how long a pause of the process must be to lose all locks ({@link #pause(Duration)}); more than zero
     * @param listeners receive the events of the locks, on a thread of the locker
     * @throws IllegalArgumentException if the lease is null or not more than zero
     */
    public InMemoryRemoteLocker(Duration lease, LockListener... listeners) {
        if (lease == null || lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException(
                    "The lease " + lease + " of the locks in memory is not more than zero; pass the lease"
                            + " of the application, or InMemoryRemoteLocker.DEFAULT_LEASE");
        }
        this.lease = lease;
        this.listeners = listeners.clone();
        this.locks = new AtomicReference<>(ReplaceableLocks.in(new InMemoryStore(), listeners));
    }

    private ReplaceableLocks now() {
        return Objects.requireNonNull(locks.get());
    }

    /**
     * Frees all locks, including those that are taken for their minimum time. Ends calls and locks as {@link #close()} does:
     * waiting calls throw, and held locks are lost. {@link InMemoryLocks} calls this after each test method. Fencing tokens
     * continue to rise. Does nothing after {@link #close()}. Blocks until the locks are released, usually at once.
     */
    public void reset() {
        if (!closed) {
            ReplaceableLocks next = ReplaceableLocks.in(now().store().emptied(), listeners);
            Objects.requireNonNull(locks.getAndSet(next)).close();
        }
        if (closed) {
            now().close();
        }
    }

    /**
     * Takes a lock away from all its holders, as if their leases had run out. When this method returns, {@link RemoteLock#isHeld()}
     * is false and {@link RemoteLock#ensureHeld()} throws. Callbacks of {@link RemoteLock#onLost} run soon afterwards on a thread
     * of the locker, and the next waiter gets the lock.
     *
     * @param lockId the lock
     * @param text the reason for the holders, whose kind is {@link LockLoss.Reason#LEASE_EXPIRED}
     * @throws IllegalStateException if nobody holds the lock, because the test then tests nothing
     */
    public void lose(String lockId, String text) {
        lose(lockId, new LockLoss(LockLoss.Reason.LEASE_EXPIRED, text));
    }

    /**
     * Takes a lock away from all its holders for any reason, otherwise as {@link #lose(String, String)} does.
     *
     * @param lockId the lock
     * @param loss the reason for the holders
     * @throws IllegalStateException if nobody holds the lock, because the test then tests nothing
     */
    public void lose(String lockId, LockLoss loss) {
        if (!now().algorithm().lose(lockId, loss)) {
            throw new IllegalStateException("Lock '" + LockRequest.of(lockId).getLockId()
                    + "' is not held, so it cannot be lost; run the code that takes it first, and check the lock id");
        }
    }

    /**
     * Moves the time of the locks forward, while the process runs and renews its leases. Minimum times, longest times and
     * time-outs of asynchronous calls that are over by then end before this method returns. They end in the order of their times.
     * Callbacks and dependent actions run on threads of the locker, meanwhile or soon afterwards. Waits for dependent actions
     * that block for at most 0.2 s.
     *
     * @param by from zero to {@link #MAX_MOVE}
     * @throws IllegalArgumentException if the time is null or outside these bounds
     */
    public void advance(Duration by) {
        checkMove(by);
        now().time().move(by);
    }

    /**
     * Moves the locks' time forward without renewals, as in a pause of the process or an outage of Cassandra. If the pause is as
     * long as the lease or longer, all locks are lost, for {@link LockLoss.Reason#LEASE_EXPIRED}. When this method returns,
     * {@link RemoteLock#isHeld()} of these locks is false. A shorter pause is an {@link #advance(Duration)}.
     *
     * @param time from zero to {@link #MAX_MOVE}
     * @throws IllegalArgumentException if the time is null or outside these bounds
     */
    public void pause(Duration time) {
        checkMove(time);
        ReplaceableLocks present = now();
        if (time.compareTo(lease) >= 0) {
            present.algorithm()
                    .loseAll(new LockLoss(
                            LockLoss.Reason.LEASE_EXPIRED,
                            "the test has paused the process for " + time + ", and the lease is " + lease));
        }
        present.time().move(time);
    }

    private static void checkMove(Duration by) {
        if (by == null || by.isNegative() || by.compareTo(MAX_MOVE) > 0) {
            throw new IllegalArgumentException("The time of the locks in memory is not moved by " + by
                    + ". A test moves it forward, by at most " + MAX_MOVE.toDays() + " days in one call");
        }
    }

    /**
     * Returns whether the lock is taken, in any mode: held, or closed and still taken for its minimum time ({@link
     * LockRequest#holdAtLeast(Duration)}). Does not block.
     *
     * @param lockId the lock
     * @return false if it is free, or was lost
     */
    public boolean isTaken(String lockId) {
        return now().algorithm().isHeld(lockId);
    }

    /** The number of held locks. */
    @Override
    public String toString() {
        return "InMemoryRemoteLocker[" + now().locker().heldLocks() + " locks held]";
    }

    @Override
    public RemoteLock getLock(LockRequest request) {
        return now().locker().getLock(request);
    }

    @Override
    public RemoteLock getLock(LockRequest request, Duration timeout) {
        return now().locker().getLock(request, timeout);
    }

    @Override
    public Optional<RemoteLock> tryGetLock(LockRequest request) {
        return now().locker().tryGetLock(request);
    }

    @Override
    public Optional<RemoteLock> tryGetLock(LockRequest request, Duration timeout) {
        return now().locker().tryGetLock(request, timeout);
    }

    @Override
    public CompletableFuture<RemoteLock> getLockAsync(LockRequest request) {
        return now().locker().getLockAsync(request);
    }

    @Override
    public CompletableFuture<RemoteLock> getLockAsync(LockRequest request, Duration timeout) {
        return now().locker().getLockAsync(request, timeout);
    }

    @Override
    public CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request) {
        return now().locker().tryGetLockAsync(request);
    }

    @Override
    public CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request, Duration timeout) {
        return now().locker().tryGetLockAsync(request, timeout);
    }

    @Override
    public RemoteLocks getLocks(MultiLockRequest requests) {
        return now().locker().getLocks(requests);
    }

    @Override
    public RemoteLocks getLocks(MultiLockRequest requests, Duration timeout) {
        return now().locker().getLocks(requests, timeout);
    }

    @Override
    public Optional<RemoteLocks> tryGetLocks(MultiLockRequest requests) {
        return now().locker().tryGetLocks(requests);
    }

    @Override
    public Optional<RemoteLocks> tryGetLocks(MultiLockRequest requests, Duration timeout) {
        return now().locker().tryGetLocks(requests, timeout);
    }

    @Override
    public CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests) {
        return now().locker().getLocksAsync(requests);
    }

    @Override
    public CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests, Duration timeout) {
        return now().locker().getLocksAsync(requests, timeout);
    }

    @Override
    public CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(MultiLockRequest requests) {
        return now().locker().tryGetLocksAsync(requests);
    }

    @Override
    public CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(MultiLockRequest requests, Duration timeout) {
        return now().locker().tryGetLocksAsync(requests, timeout);
    }

    /**
     * Closes the locker, as the end of an application context closes the real locker. Waiting calls throw, and held locks are
     * lost. Idempotent. Blocks until the locks are released, usually at once. Does not wait for minimum times.
     */
    @Override
    public void close() {
        closed = true;
        now().close();
    }
}

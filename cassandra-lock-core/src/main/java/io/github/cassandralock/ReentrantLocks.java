package io.github.cassandralock;

/**
 * Locks of a {@link RemoteLocker} as {@link java.util.concurrent.locks.Lock}s. They belong to threads, are reentrant, and exclude
 * other threads and processes. Requests in compatible modes ({@link LockRequest#mode(LockMode)}) do not exclude each other.
 *
 * <pre>{@code
 * ReentrantLocks locks = new ReentrantLocks(locker);
 * Lock lock = locks.get("account:42");
 * lock.lock();
 * try {
 *     ...
 * } finally {
 *     lock.unlock();
 * }
 * }</pre>
 *
 * <p>All locks with one id from one {@code ReentrantLocks} are one lock. A thread that holds one of them holds the others whose
 * modes its mode covers ({@link LockMode#covers(LockMode)}). Locks of different {@code ReentrantLocks} exclude each other.
 * Nothing is stored for a lock that no thread holds. An exception is a reported loss, until the thread uses that lock again.
 * Nobody can unlock the lock of a thread that has ended. This is logged, and the lock is released if {@code
 * cassandra-lock.release-abandoned} is true. Thread-safe.
 */
public class ReentrantLocks {

    private final RemoteLocker locker;
    private final ThreadHolds holds = new ThreadHolds();

    /**
     * Creates the locks, all free. Does no I/O.
     *
     * @param locker takes the locks; this object does not close it
     * @throws IllegalArgumentException if the locker is null
     */
    public ReentrantLocks(RemoteLocker locker) {
        if (locker == null) {
            throw new IllegalArgumentException("The locker is null; pass the RemoteLocker that takes the locks");
        }
        this.locker = locker;
    }

    /**
     * Returns the lock with this id. Takes nothing and does no I/O.
     *
     * @param lockId the name of the resource
     * @return the lock
     * @throws IllegalArgumentException if the lock id is outside its bounds
     */
    public RemoteReentrantLock get(String lockId) {
        return get(LockRequest.of(lockId));
    }

    @Override
    public String toString() {
        return "ReentrantLocks[" + locker + "]";
    }

    /**
     * Returns the lock for this request. Takes nothing and does no I/O.
     *
     * @param request which lock, and how it is to be held
     * @return the lock
     * @throws IllegalArgumentException if the request is null
     */
    public RemoteReentrantLock get(LockRequest request) {
        if (request == null) {
            throw new IllegalArgumentException(
                    "The lock request is null; name the resource to lock, e.g. LockRequest.of(\"account:42\")");
        }
        return new RemoteReentrantLock(locker, request, holds);
    }
}

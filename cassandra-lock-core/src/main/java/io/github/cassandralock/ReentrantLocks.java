package io.github.cassandralock;

/**
 * Locks of a {@link RemoteLocker} as {@link java.util.concurrent.locks.Lock}s, for code that is written for that interface.
 * They belong to threads and are reentrant, as those of the JDK are, and exclude all other processes, too. Requests in
 * compatible modes ({@link LockRequest#mode(LockMode)}) do not exclude each other.
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
 * <p>All locks with one lock id that come from one {@code ReentrantLocks} are the same lock: a thread that holds one of them
 * holds the others, as far as its mode covers theirs ({@link LockMode#covers(LockMode)}). Locks of different {@code ReentrantLocks} exclude each other. Nothing is stored for a lock that no thread
 * holds, with one exception: a thread that was told of a loss is remembered until it uses that lock again. If a thread ends while it
 * holds a lock, nobody can unlock it: the log says so, and {@code cassandra-lock.release-abandoned} releases it. Thread-safe.
 */
public class ReentrantLocks {

    private final RemoteLocker locker;
    private final ThreadHolds holds = new ThreadHolds();

    /**
     * Creates locks of which no thread holds any. Does no I/O.
     *
     * @param locker takes the locks; it is not closed by this object
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

    /** Names the locker. */
    @Override
    public String toString() {
        return "ReentrantLocks[" + locker + "]";
    }

    /**
     * Returns the lock that this request asks for. Takes nothing and does no I/O.
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

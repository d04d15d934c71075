package io.github.cassandralock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Takes named locks. A lock excludes all other processes that use the same Cassandra keyspace and the same algorithm, and
 * all other threads of this process.
 *
 * <p>There are two strategies. The <em>mandatory</em> one ({@link #getLock(String)}) waits until it holds the lock. The
 * <em>soft</em> one ({@link #tryGetLock(String)}) does not wait: it returns empty if the lock is taken.
 *
 * <p>The process renews the lease of its locks in the background for as long as it runs. A lock is freed by {@link
 * RemoteLock#close()}. If the process crashes, a call that waits gets the lock after one and a half leases at most, counted
 * from the crash or, if that is later, from the begin of the wait. {@code tryGetLock} may find the lock taken until somebody
 * has waited for it, or has tried it, one and a half leases ago. (With the algorithms {@code queue} and {@code shadow}, the lock
 * is free when the time to live of its cells has passed.)
 *
 * <p>Each method has a form with a lock id and a form with a {@link LockRequest}, which also says how the lock is to be held.
 * The form with a lock id does the same as the other one with {@code LockRequest.of(lockId)}.
 *
 * <p>A lock id is 1 to 512 bytes long in UTF-8, is not blank, and contains no control characters. Before it sends anything
 * to Cassandra, every method throws
 *
 * <ul>
 *   <li>{@link IllegalArgumentException} if the lock id or the timeout is outside its bounds, or the request is null,
 *   <li>{@link IllegalStateException} if the locker is closed. It is closed together with the application context.
 * </ul>
 *
 * <p>Every method also throws the following exceptions, and every returned future may fail with them. In both cases the
 * caller holds nothing.
 *
 * <ul>
 *   <li>{@link IllegalStateException} if the locker is closed while the call waits, or if the process is restored from a
 *       checkpoint meanwhile,
 *   <li>{@link LockLostException} if the lease ran out between the grant and the return to the caller, for example because
 *       the process was paused for that long.
 * </ul>
 *
 * <p>Locks are not reentrant: a lock belongs to its {@link RemoteLock}, not to the thread that took it. If a thread calls
 * {@code getLock} for a lock that it has taken by {@code getLock} or {@code tryGetLock} and has not closed, the call throws
 * {@link IllegalStateException}, because it could never return. The asynchronous methods do not check this.
 *
 * <p>Implementations are thread-safe. Platform threads and virtual threads may call them.
 *
 * <p>Source: interface {@code IRemoteLocker}, listing 2 of the thesis (docs/thesis.md).
 */
public interface RemoteLocker {

    /**
     * Waits until the lock is granted, without a time limit. Blocks the calling thread.
     *
     * @param lockId the name of the resource
     * @return the held lock; close it, preferably by a {@code try}-with-resources statement
     * @throws LockInterruptedException if the thread is interrupted while it waits; the call has left the queue, and the
     *     thread's interrupt flag is set
     * @throws LockStoreException if no request to Cassandra succeeded for a whole lease; at once, if Cassandra rejected a
     *     request for a reason that a retry cannot change, such as a missing permission or table, or if the application was
     *     started with {@code cassandra-lock.startup: lazy} and has not reached Cassandra yet
     */
    default RemoteLock getLock(String lockId) {
        return getLock(LockRequest.of(lockId));
    }

    /**
     * Waits until the lock is granted, as {@link #getLock(String)} does.
     *
     * @param request which lock, and how it is to be held
     * @return the held lock; close it, preferably by a {@code try}-with-resources statement
     */
    RemoteLock getLock(LockRequest request);

    /**
     * Waits until the lock is granted, for at most the given time. Blocks the calling thread.
     *
     * @param lockId the name of the resource
     * @param timeout the longest time to wait; more than zero
     * @return the held lock; close it, preferably by a {@code try}-with-resources statement
     * @throws LockTimeoutException if the lock was not granted in time; the call has left the queue
     * @throws LockInterruptedException if the thread is interrupted while it waits; the call has left the queue, and the
     *     thread's interrupt flag is set
     * @throws LockStoreException if no request to Cassandra succeeded for a whole lease; at once, if Cassandra rejected a
     *     request for a reason that a retry cannot change, such as a missing permission or table, or if the application was
     *     started with {@code cassandra-lock.startup: lazy} and has not reached Cassandra yet
     */
    default RemoteLock getLock(String lockId, Duration timeout) {
        return getLock(LockRequest.of(lockId), timeout);
    }

    /**
     * Waits until the lock is granted, for at most the given time, as {@link #getLock(String, Duration)} does.
     *
     * @param request which lock, and how it is to be held
     * @param timeout the longest time to wait; more than zero
     * @return the held lock; close it, preferably by a {@code try}-with-resources statement
     */
    RemoteLock getLock(LockRequest request, Duration timeout);

    /**
     * Takes the lock if it is free. Does not wait for another holder, but blocks the calling thread while Cassandra answers.
     *
     * <p>The result is empty if the lock is held, by this thread too, or, with the algorithms {@code ticket} and {@code queue},
     * if others wait for it. If several callers try a free lock at the same time, one of them gets it, provided that Cassandra
     * answers quickly (with {@code ticket}: three requests, one after the other, within 100 ms). If it answers more slowly, all
     * of them may get an empty result.
     *
     * @param lockId the name of the resource
     * @return the held lock, or empty if it is taken
     * @throws LockInterruptedException if the thread is interrupted before the result is known; nothing is held, and the
     *     thread's interrupt flag is set
     * @throws LockStoreException if a request to Cassandra fails; the call does not retry it
     */
    default Optional<RemoteLock> tryGetLock(String lockId) {
        return tryGetLock(LockRequest.of(lockId));
    }

    /**
     * Takes the lock if it is free, as {@link #tryGetLock(String)} does.
     *
     * @param request which lock, and how it is to be held
     * @return the held lock, or empty if it is taken
     */
    Optional<RemoteLock> tryGetLock(LockRequest request);

    /**
     * Queues for the lock without blocking a thread.
     *
     * <p>The future completes on one of four threads that belong to the locker, never on a thread of the driver. Dependent
     * actions run there: they must be short and must not wait for another lock. Run longer ones on an executor of your own,
     * for example by {@link CompletableFuture#thenAcceptAsync(java.util.function.Consumer, java.util.concurrent.Executor)}.
     * Callbacks of {@link RemoteLock#onLost} run on other threads and are not delayed by dependent actions.
     *
     * <p>If the caller cancels or completes the future, the request leaves the queue. A lock that is granted at the same
     * moment is released.
     *
     * @param lockId the name of the resource
     * @return completes with the held lock when it is granted; fails with {@link LockStoreException} where {@link
     *     #getLock(String)} throws it
     */
    default CompletableFuture<RemoteLock> getLockAsync(String lockId) {
        return getLockAsync(LockRequest.of(lockId));
    }

    /**
     * Queues for the lock without blocking a thread, as {@link #getLockAsync(String)} does.
     *
     * @param request which lock, and how it is to be held
     * @return completes with the held lock when it is granted
     */
    CompletableFuture<RemoteLock> getLockAsync(LockRequest request);

    /**
     * Queues for the lock without blocking a thread, for at most the given time. The future behaves as that of {@link
     * #getLockAsync(String)} does.
     *
     * @param lockId the name of the resource
     * @param timeout the longest time to wait; more than zero
     * @return completes with the held lock when it is granted; fails with {@link LockTimeoutException} if it is not granted
     *     in time: the request has left the queue
     */
    default CompletableFuture<RemoteLock> getLockAsync(String lockId, Duration timeout) {
        return getLockAsync(LockRequest.of(lockId), timeout);
    }

    /**
     * Queues for the lock without blocking a thread, for at most the given time, as {@link #getLockAsync(String, Duration)}
     * does.
     *
     * @param request which lock, and how it is to be held
     * @param timeout the longest time to wait; more than zero
     * @return completes with the held lock when it is granted; fails with {@link LockTimeoutException} if it is not granted
     *     in time
     */
    CompletableFuture<RemoteLock> getLockAsync(LockRequest request, Duration timeout);

    /**
     * Takes the lock if it is free, without blocking a thread. The result is that of {@link #tryGetLock(String)}; the future
     * behaves as that of {@link #getLockAsync(String)} does.
     *
     * @param lockId the name of the resource
     * @return completes with the held lock, or with empty if it is taken; fails with {@link LockStoreException} if a request
     *     to Cassandra fails
     */
    default CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(String lockId) {
        return tryGetLockAsync(LockRequest.of(lockId));
    }

    /**
     * Takes the lock if it is free, without blocking a thread, as {@link #tryGetLockAsync(String)} does.
     *
     * @param request which lock, and how it is to be held
     * @return completes with the held lock, or with empty if it is taken
     */
    CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request);
}

package io.github.cassandralock;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Takes named locks. A lock excludes other processes with its Cassandra keyspace and algorithm, and other threads of this process.
 * In another mode than {@link LockMode#EXCLUSIVE}, it excludes only requests in modes that are not compatible with it.
 *
 * <p>{@link #getLock(String)} waits until it holds the lock. {@link #tryGetLock(String)} does not wait: it returns empty if the
 * lock is taken.
 *
 * <p>The process renews the lease of its locks in the background for as long as it runs. A lock is freed by {@link
 * RemoteLock#close()}. If the process crashes, a waiting call gets the lock after at most one and a half leases. They count from
 * the crash, or from the begin of the wait if that is later. {@code tryGetLock} may find the lock taken until one and a half
 * leases after the first wait or try. (With the algorithms {@code queue} and {@code shadow}, the lock is free when the time to
 * live of its cells has passed.)
 *
 * <p>Each method has a form with a lock id, and a form with a {@link LockRequest} for a mode and more. The form with a lock id
 * stands for {@code LockRequest.of(lockId)}. {@code getLocks} and {@code tryGetLocks} take several locks, all or none. They have
 * a form with lock ids and a form with {@link MultiLockRequest}.
 *
 * <p>A lock id is 1 to 512 bytes long in UTF-8 and has a visible character. {@link LockRequest#of(String)} lists what it must not
 * contain. Before it sends anything to Cassandra, every method throws
 *
 * <ul>
 *   <li>{@link IllegalArgumentException} if the lock id or the timeout is outside its bounds; if the request is null; if a call
 *       for one lock names a node of a path that has nodes above it,
 *   <li>{@link UnsupportedOperationException} if the algorithm does not support the mode or the permits of the request: {@code
 *       majority}, {@code queue}, {@code shadow} and {@code migration} support {@link LockMode#EXCLUSIVE} and one holder only,
 *   <li>{@link IllegalStateException} if the locker is closed. It is closed together with the application context.
 * </ul>
 *
 * <p>Every method also throws the following exceptions, and every returned future may fail with them. In both cases the caller
 * holds nothing.
 *
 * <ul>
 *   <li>{@link IllegalStateException} if the locker is closed while the call waits, or if the process is restored from a checkpoint
 *       meanwhile,
 *   <li>{@link LockLostException} if the lease ran out before the call returned, for example in a pause of the process.
 * </ul>
 *
 * <p>Locks are not reentrant: a lock belongs to its {@link RemoteLock}, not to the thread that took it. A call that blocks has an
 * owner: the calling thread, or the {@link LockOwner} that its request names. An asynchronous call has an owner if its request
 * names one. If the owner of a {@code getLock} holds the lock already, the call throws {@link IllegalStateException}, because it
 * could never return. This holds in every mode: the call would wait behind callers that wait for the owner's first lock. Paths of a
 * hierarchy are counted instead ({@link MultiLockRequest#ofPath(LockPath)}).
 *
 * <p>Implementations are thread-safe. Platform threads and virtual threads may call them. A call that waits throws {@link
 * IllegalStateException} on a thread that delivers the answers of Cassandra or renews leases. These are threads of the driver, of
 * the locks' timers and of notices. Waiting calls of {@link RemoteLock}, and {@code get} and {@code join} of the returned
 * futures, throw it as well. {@link RemoteLock#close()} releases the lock there without waiting.
 *
 * <p>Source: interface {@code IRemoteLocker}, listing 2 of the thesis (docs/thesis.md).
 */
public interface RemoteLocker {

    /**
     * Waits until the lock is granted, without a time limit. Blocks the calling thread.
     *
     * @param lockId the name of the resource
     * @return the held lock; close it, preferably by a {@code try}-with-resources statement
     * @throws LockInterruptedException if the thread is interrupted while it waits. The call has left the queue, and the thread's
     *     interrupt flag is set
     * @throws LockStoreException if no request to Cassandra succeeded for a whole lease. It is thrown at once if a retry cannot
     *     help: Cassandra rejected a request, for example because a permission or a table is missing. It is also thrown at once
     *     if the application was started with {@code cassandra-lock.startup: lazy} and has not reached Cassandra yet
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
     * @throws LockInterruptedException if the thread is interrupted while it waits. The call has left the queue, and the thread's
     *     interrupt flag is set
     * @throws LockStoreException if no request to Cassandra succeeded for a whole lease. It is thrown at once if a retry cannot
     *     help: Cassandra rejected a request, for example because a permission or a table is missing. It is also thrown at once
     *     if the application was started with {@code cassandra-lock.startup: lazy} and has not reached Cassandra yet
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
     * <p>The result is empty if the lock is held in a mode that is not compatible, even by this thread. With the algorithms
     * {@code ticket} and {@code queue}, it is also empty if others wait for the lock. If several callers try a free lock at one
     * time, one of them gets it, provided that Cassandra answers quickly. With {@code ticket}, this means three requests, one
     * after the other, within 100 ms. If Cassandra answers more slowly, all of them may get an empty result.
     *
     * @param lockId the name of the resource
     * @return the held lock, or empty if it is taken
     * @throws LockInterruptedException if the thread is interrupted before the result is there. Nothing is held, and the thread's
     *     interrupt flag is set
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
     * Waits for the lock, for at most the given time. Blocks the calling thread.
     *
     * @param lockId the name of the resource
     * @param timeout the longest time to wait; more than zero
     * @return the held lock, or empty if the lock was still taken when the time was over. The call has left the queue then
     * @throws LockTimeoutException if requests to Cassandra failed until the time was over; its cause is the last failure
     * @throws LockInterruptedException as {@link #getLock(String)} throws it
     * @throws LockStoreException as {@link #getLock(String)} throws it
     */
    default Optional<RemoteLock> tryGetLock(String lockId, Duration timeout) {
        return tryGetLock(LockRequest.of(lockId), timeout);
    }

    /**
     * Waits for the lock, for at most the given time, as {@link #tryGetLock(String, Duration)} does.
     *
     * @param request which lock, and how it is to be held
     * @param timeout the longest time to wait; more than zero
     * @return the held lock, or empty if the lock was still taken when the time was over
     */
    Optional<RemoteLock> tryGetLock(LockRequest request, Duration timeout);

    /**
     * Queues for the lock without blocking a thread.
     *
     * <p>The future completes on one of four threads that belong to the locker, never on a thread of the driver. Dependent actions
     * run there, so they must be short. While an action waits for another lock, a further thread replaces its thread. No thread
     * replaces an action that waits for the result of {@code allOf} or {@code anyOf}. Run longer actions on an executor of your
     * own, for example by {@link CompletableFuture#thenAcceptAsync(java.util.function.Consumer, java.util.concurrent.Executor)}.
     * Callbacks of {@link RemoteLock#onLost} run on other threads and are not delayed by dependent actions.
     *
     * <p>If the caller cancels or completes the future, the request leaves the queue before that method returns. A lock that was
     * granted meanwhile is released at once.
     *
     * @param lockId the name of the resource
     * @return completes with the held lock when it is granted; fails with {@link LockStoreException} where {@link #getLock(String)}
     *     throws it
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
     * Queues for the lock without blocking a thread, for at most the given time. The future behaves as for {@link
     * #getLockAsync(String)}.
     *
     * @param lockId the name of the resource
     * @param timeout the longest time to wait; more than zero
     * @return completes with the held lock when it is granted; fails with {@link LockTimeoutException} if it is not granted in
     *     time. The request has left the queue then
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
     * Takes the lock if it is free, without blocking a thread. The future has the result of {@link #tryGetLock(String)}, and
     * behaves as for {@link #getLockAsync(String)}.
     *
     * @param lockId the name of the resource
     * @return completes with the held lock, or with empty if it is taken. It fails with {@link LockStoreException} if a request
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

    /**
     * Queues for the lock without blocking a thread, for at most the given time. The future has the result of {@link
     * #tryGetLock(String, Duration)}, and behaves as for {@link #getLockAsync(String)}.
     *
     * @param lockId the name of the resource
     * @param timeout the longest time to wait; more than zero
     * @return completes with the held lock, or with empty if the lock was still taken when the time was over
     */
    default CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(String lockId, Duration timeout) {
        return tryGetLockAsync(LockRequest.of(lockId), timeout);
    }

    /**
     * Queues for the lock without blocking a thread, for at most the given time, as {@link #tryGetLockAsync(String, Duration)}
     * does.
     *
     * @param request which lock, and how it is to be held
     * @param timeout the longest time to wait; more than zero
     * @return completes with the held lock, or with empty if the lock was still taken when the time was over
     */
    CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request, Duration timeout);

    /**
     * Waits until all these locks are granted, without a time limit. Blocks the calling thread.
     *
     * <p>The locks are taken in an order that is equal in all processes ({@link MultiLockRequest}). Therefore callers of this
     * method never wait for each other in a cycle if they hold no other lock. Take all locks by one call. While the call waits for
     * a lock, it holds the locks before it, and none behind it.
     *
     * @param lockIds the names of the resources; a name that occurs more than once counts once
     * @return the held locks; close them, preferably by a {@code try}-with-resources statement
     * @throws LockInterruptedException if the thread is interrupted while it waits; nothing is held, and the thread's interrupt
     *     flag is set
     * @throws LockLostException if one of the locks was lost before the last one was granted; nothing is held
     * @throws LockStoreException as {@link #getLock(String)} throws it; nothing is held
     */
    default RemoteLocks getLocks(Collection<String> lockIds) {
        return getLocks(MultiLockRequest.of(lockIds));
    }

    /**
     * Waits until all these locks are granted, as {@link #getLocks(Collection)} does.
     *
     * @param requests which locks, and how they are to be held
     * @return the held locks; close them, preferably by a {@code try}-with-resources statement
     */
    RemoteLocks getLocks(MultiLockRequest requests);

    /**
     * Waits until all these locks are granted, for at most the given time, and otherwise as {@link #getLocks(Collection)} does.
     *
     * @param lockIds the names of the resources; a name that occurs more than once counts once
     * @param timeout the longest time to wait for all of them together; more than zero
     * @return the held locks; close them, preferably by a {@code try}-with-resources statement
     * @throws LockTimeoutException if a lock was not granted in time; the exception names it, and nothing is held
     */
    default RemoteLocks getLocks(Collection<String> lockIds, Duration timeout) {
        return getLocks(MultiLockRequest.of(lockIds), timeout);
    }

    /**
     * Waits until all these locks are granted, for at most the given time, as {@link #getLocks(Collection, Duration)} does.
     *
     * @param requests which locks, and how they are to be held
     * @param timeout the longest time to wait for all of them together; more than zero
     * @return the held locks; close them, preferably by a {@code try}-with-resources statement
     */
    RemoteLocks getLocks(MultiLockRequest requests, Duration timeout);

    /**
     * Takes all these locks if all are free, and none otherwise. Does not wait for other holders, but blocks the calling thread
     * while Cassandra answers. The locks are tried one after the other, each as {@link #tryGetLock(String)} does. The first lock
     * that is taken by others ends the call.
     *
     * @param lockIds the names of the resources; a name that occurs more than once counts once
     * @return the held locks, or empty if one of them is taken: then nothing is held
     * @throws LockInterruptedException if the thread is interrupted before the result is there. Nothing is held, and the thread's
     *     interrupt flag is set
     * @throws LockStoreException if a request to Cassandra fails; the call does not retry it, and nothing is held
     */
    default Optional<RemoteLocks> tryGetLocks(Collection<String> lockIds) {
        return tryGetLocks(MultiLockRequest.of(lockIds));
    }

    /**
     * Takes all these locks if all are free, as {@link #tryGetLocks(Collection)} does.
     *
     * @param requests which locks, and how they are to be held
     * @return the held locks, or empty if one of them is taken
     */
    Optional<RemoteLocks> tryGetLocks(MultiLockRequest requests);

    /**
     * Waits for all these locks, for at most the given time, and takes all or none. Blocks the calling thread. The locks are taken
     * as by {@link #getLocks(Collection)}.
     *
     * @param lockIds the names of the resources; a name that occurs more than once counts once
     * @param timeout the longest time to wait for all of them together; more than zero
     * @return the held locks, or empty if one of them was still taken when the time was over. Nothing is held then
     * @throws LockTimeoutException if requests to Cassandra failed until the time was over; its cause is the last failure
     * @throws LockInterruptedException as {@link #getLocks(Collection)} throws it
     * @throws LockLostException as {@link #getLocks(Collection)} throws it
     * @throws LockStoreException as {@link #getLocks(Collection)} throws it
     */
    default Optional<RemoteLocks> tryGetLocks(Collection<String> lockIds, Duration timeout) {
        return tryGetLocks(MultiLockRequest.of(lockIds), timeout);
    }

    /**
     * Waits for all these locks, for at most the given time, as {@link #tryGetLocks(Collection, Duration)} does.
     *
     * @param requests which locks, and how they are to be held
     * @param timeout the longest time to wait for all of them together; more than zero
     * @return the held locks, or empty if one of them was still taken when the time was over. Nothing is held then
     */
    Optional<RemoteLocks> tryGetLocks(MultiLockRequest requests, Duration timeout);

    /**
     * Queues for all these locks without blocking a thread. The locks are taken as by {@link
     * #getLocks(Collection)}; the future behaves as for {@link #getLockAsync(String)}.
     *
     * @param lockIds the names of the resources; a name that occurs more than once counts once
     * @return completes with the held locks when all are granted; if it fails, nothing is held
     */
    default CompletableFuture<RemoteLocks> getLocksAsync(Collection<String> lockIds) {
        return getLocksAsync(MultiLockRequest.of(lockIds));
    }

    /**
     * Queues for all these locks without blocking a thread, as {@link #getLocksAsync(Collection)} does.
     *
     * @param requests which locks, and how they are to be held
     * @return completes with the held locks when all are granted
     */
    CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests);

    /**
     * Queues for all these locks without blocking a thread, for at most the given time, as {@link #getLocksAsync(Collection)}
     * does.
     *
     * @param lockIds the names of the resources; a name that occurs more than once counts once
     * @param timeout the longest time to wait for all of them together; more than zero
     * @return completes with the held locks when all are granted; fails with {@link LockTimeoutException} if that is not in time
     */
    default CompletableFuture<RemoteLocks> getLocksAsync(Collection<String> lockIds, Duration timeout) {
        return getLocksAsync(MultiLockRequest.of(lockIds), timeout);
    }

    /**
     * Queues for all these locks without blocking a thread, for at most the given time, as {@link #getLocksAsync(Collection,
     * Duration)} does.
     *
     * @param requests which locks, and how they are to be held
     * @param timeout the longest time to wait for all of them together; more than zero
     * @return completes with the held locks when all are granted; fails with {@link LockTimeoutException} if that is not in time
     */
    CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests, Duration timeout);

    /**
     * Takes all these locks if all are free, without blocking a thread. The future has the result of {@link
     * #tryGetLocks(Collection)}, and behaves as for {@link #getLockAsync(String)}.
     *
     * @param lockIds the names of the resources; a name that occurs more than once counts once
     * @return completes with the held locks, or with empty if one of them is taken
     */
    default CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(Collection<String> lockIds) {
        return tryGetLocksAsync(MultiLockRequest.of(lockIds));
    }

    /**
     * Takes all these locks if all are free, without blocking a thread, as {@link #tryGetLocksAsync(Collection)} does.
     *
     * @param requests which locks, and how they are to be held
     * @return completes with the held locks, or with empty if one of them is taken
     */
    CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(MultiLockRequest requests);

    /**
     * Queues for all these locks without blocking a thread, for at most the given time. The future has the result of {@link
     * #tryGetLocks(Collection, Duration)}, and behaves as for {@link #getLockAsync(String)}.
     *
     * @param lockIds the names of the resources; a name that occurs more than once counts once
     * @param timeout the longest time to wait for all of them together; more than zero
     * @return completes with the held locks, or with empty if one of them was still taken when the time was over. Nothing is held
     *     then
     */
    default CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(Collection<String> lockIds, Duration timeout) {
        return tryGetLocksAsync(MultiLockRequest.of(lockIds), timeout);
    }

    /**
     * Queues for all these locks without blocking a thread, for at most the given time, as {@link #tryGetLocksAsync(Collection,
     * Duration)} does.
     *
     * @param requests which locks, and how they are to be held
     * @param timeout the longest time to wait for all of them together; more than zero
     * @return completes with the held locks, or with empty if one of them was still taken when the time was over. Nothing is held
     *     then
     */
    CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(MultiLockRequest requests, Duration timeout);

    /**
     * Waits for the lock as {@link #getLock(String)} does, runs the work on the calling thread, and releases the lock. Blocks.
     * Throws what {@link #getLock(String)} throws, and what the work throws.
     *
     * <p>The lock is released when the work returns. Work on other threads, or in a reactive type that the work returns, runs
     * without the lock. Use {@link #getLockAsync(String)} for that.
     *
     * @param lockId the name of the resource
     * @param work runs while the lock is held
     * @throws LockLostException if the lock was lost by the time the work returned: another process may have held it meanwhile
     */
    default void executeLocked(String lockId, Runnable work) {
        executeLocked(LockRequest.of(lockId), work);
    }

    /**
     * Waits for the lock, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param lockId the name of the resource
     * @param work runs while the lock is held
     * @param <T> of the result
     * @return what the work returns
     * @throws IllegalStateException if the work returned a future that is not complete: the rest of it runs, without the lock
     * @throws Exception what the work throws
     */
    default <T extends @Nullable Object> T executeLocked(String lockId, Callable<T> work) throws Exception {
        return executeLocked(LockRequest.of(lockId), work);
    }

    /**
     * Waits for the lock, for at most the given time, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param lockId the name of the resource
     * @param timeout the longest time to wait; more than zero
     * @param work runs while the lock is held
     * @throws LockTimeoutException if the lock was not granted in time: the work has not run
     */
    default void executeLocked(String lockId, Duration timeout, Runnable work) {
        executeLocked(LockRequest.of(lockId), timeout, work);
    }

    /**
     * Waits for the lock, for at most the given time, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param lockId the name of the resource
     * @param timeout the longest time to wait; more than zero
     * @param work runs while the lock is held
     * @param <T> of the result
     * @return what the work returns
     * @throws LockTimeoutException if the lock was not granted in time: the work has not run
     * @throws Exception what the work throws
     */
    default <T extends @Nullable Object> T executeLocked(String lockId, Duration timeout, Callable<T> work)
            throws Exception {
        return executeLocked(LockRequest.of(lockId), timeout, work);
    }

    /**
     * Waits for the lock, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param request which lock, and how it is to be held
     * @param work runs while the lock is held
     */
    default void executeLocked(LockRequest request, Runnable work) {
        run(getLock(request), work);
    }

    /**
     * Waits for the lock, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param request which lock, and how it is to be held
     * @param work runs while the lock is held
     * @param <T> of the result
     * @return what the work returns
     * @throws Exception what the work throws
     */
    default <T extends @Nullable Object> T executeLocked(LockRequest request, Callable<T> work) throws Exception {
        return call(getLock(request), work);
    }

    /**
     * Waits for the lock, for at most the given time, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param request which lock, and how it is to be held
     * @param timeout the longest time to wait; more than zero
     * @param work runs while the lock is held
     * @throws LockTimeoutException if the lock was not granted in time: the work has not run
     */
    default void executeLocked(LockRequest request, Duration timeout, Runnable work) {
        run(getLock(request, timeout), work);
    }

    /**
     * Waits for the lock, for at most the given time, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param request which lock, and how it is to be held
     * @param timeout the longest time to wait; more than zero
     * @param work runs while the lock is held
     * @param <T> of the result
     * @return what the work returns
     * @throws LockTimeoutException if the lock was not granted in time: the work has not run
     * @throws Exception what the work throws
     */
    default <T extends @Nullable Object> T executeLocked(LockRequest request, Duration timeout, Callable<T> work)
            throws Exception {
        return call(getLock(request, timeout), work);
    }

    /**
     * Waits for all these locks, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param requests which locks, and how they are to be held
     * @param work runs while the locks are held
     */
    default void executeLocked(MultiLockRequest requests, Runnable work) {
        run(getLocks(requests), work);
    }

    /**
     * Waits for all these locks, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param requests which locks, and how they are to be held
     * @param work runs while the locks are held
     * @param <T> of the result
     * @return what the work returns
     * @throws Exception what the work throws
     */
    default <T extends @Nullable Object> T executeLocked(MultiLockRequest requests, Callable<T> work) throws Exception {
        return call(getLocks(requests), work);
    }

    /**
     * Waits for all these locks, for at most the given time, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param requests which locks, and how they are to be held
     * @param timeout the longest time to wait; more than zero
     * @param work runs while the locks are held
     * @throws LockTimeoutException if the locks were not granted in time: the work has not run
     */
    default void executeLocked(MultiLockRequest requests, Duration timeout, Runnable work) {
        run(getLocks(requests, timeout), work);
    }

    /**
     * Waits for all these locks, for at most the given time, and runs the work as {@link #executeLocked(String, Runnable)} does.
     *
     * @param requests which locks, and how they are to be held
     * @param timeout the longest time to wait; more than zero
     * @param work runs while the locks are held
     * @param <T> of the result
     * @return what the work returns
     * @throws LockTimeoutException if the locks were not granted in time: the work has not run
     * @throws Exception what the work throws
     */
    default <T extends @Nullable Object> T executeLocked(MultiLockRequest requests, Duration timeout, Callable<T> work)
            throws Exception {
        return call(getLocks(requests, timeout), work);
    }

    /**
     * Waits for the lock as {@link #getLock(String)} does, and runs the work unless this period or a later one is completed. If the
     * work returns normally, the period is recorded before the lock is released ({@link RemoteLock#completePeriod(Comparable)}).
     * As a result, the work of each period runs at least once, and is completed once among all processes. Blocks. Call it without
     * a transaction: the record does not wait for the commit.
     *
     * <p>Throws what {@link #getLock(String)}, {@link RemoteLock#beginPeriod(Comparable)} and {@link
     * RemoteLock#completePeriod(Comparable)} throw, and what the work throws.
     *
     * @param lockId the name of the resource, for this purpose alone
     * @param period the period, as for {@link RemoteLock#beginPeriod(Comparable)}
     * @param work runs while the lock is held
     * @return whether the work has run
     */
    default boolean executeOnceFor(String lockId, Comparable<?> period, Runnable work) {
        return executeOnceFor(LockRequest.of(lockId), period, work);
    }

    /**
     * Runs the work once for each period, as {@link #executeOnceFor(String, Comparable, Runnable)} does.
     *
     * @param request which lock, and how it is to be held
     * @param period the period, as for {@link RemoteLock#beginPeriod(Comparable)}
     * @param work runs while the lock is held
     * @return whether the work has run
     */
    default boolean executeOnceFor(LockRequest request, Comparable<?> period, Runnable work) {
        if (period == null) {
            throw new IllegalArgumentException("The period is null; pass for example LocalDate.now()");
        }
        try (RemoteLock lock = getLock(request)) {
            boolean due = lock.beginPeriod(period);
            if (due) {
                work.run();
                lock.completePeriod(period);
            }
            return due;
        }
    }

    private static void run(RemoteLock held, Runnable work) {
        try (RemoteLock lock = held) {
            work.run();
            lock.ensureHeld();
        }
    }

    private static void run(RemoteLocks held, Runnable work) {
        try (RemoteLocks locks = held) {
            work.run();
            locks.ensureHeld();
        }
    }

    private static <T extends @Nullable Object> T call(RemoteLock held, Callable<T> work) throws Exception {
        try (RemoteLock lock = held) {
            T result = work.call();
            lock.ensureHeld();
            requireComplete(result, lock.getLockId());
            return result;
        }
    }

    private static <T extends @Nullable Object> T call(RemoteLocks held, Callable<T> work) throws Exception {
        try (RemoteLocks locks = held) {
            T result = work.call();
            locks.ensureHeld();
            requireComplete(result, String.join("', '", locks.getLockIds()));
            return result;
        }
    }

    private static void requireComplete(@Nullable Object result, String lockIds) {
        Object future = result instanceof CompletionStage<?> stage ? stage.toCompletableFuture() : result;
        if (future instanceof Future<?> pending && !pending.isDone()) {
            throw new IllegalStateException("The work under '" + lockIds
                    + "' has returned a future that is not complete. The rest of the work runs without the lock. Wait"
                    + " for the future in the work, or call getLockAsync and release the lock when the future is"
                    + " complete");
        }
    }
}

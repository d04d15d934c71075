package io.github.cassandralock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Takes locks that exclude every other process that uses the same Cassandra keyspace and the same algorithm.
 *
 * <p>Two strategies: the <em>mandatory</em> one ({@link #getLock(String)}) waits until it holds the lock; the
 * <em>soft</em> one ({@link #tryGetLock(String)}) is refused at once if someone else holds it. A lock lives as long as
 * its holder's process renews its lease; it is freed by {@link RemoteLock#close()} or, after a crash, when the lease
 * runs out.
 *
 * <p>A lock id is 1 to 512 bytes of UTF-8, not blank, without control characters. Every method throws, before anything
 * is asked of Cassandra,
 *
 * <ul>
 *   <li>{@link IllegalArgumentException} for a lock id or a timeout outside its bounds,
 *   <li>{@link IllegalStateException} once the locker is closed (it closes with the application context).
 * </ul>
 *
 * <p>Every method throws as well, or its future fails with,
 *
 * <ul>
 *   <li>{@link IllegalStateException} if the locker closes while the call waits,
 *   <li>{@link LockLostException} if the lock was granted, but lost before the caller could have it, because the process
 *       stood still for a lease in between. Nothing is held after either.
 * </ul>
 *
 * <p>Locks are not reentrant: they belong to the handle, not to the thread. A thread that waits for a lock that it
 * took itself and has not closed would wait for ever; {@code getLock} answers that with an {@link
 * IllegalStateException}.
 *
 * <p>Implementations are safe for use by any number of threads, platform or virtual.
 *
 * <p>Source: the thesis's {@code IRemoteLocker}, listing 2.
 */
public interface RemoteLocker {

    /**
     * Waits until this thread holds the lock.
     *
     * @param lockId names the resource
     * @return the held lock, to be closed in a {@code try} statement
     * @throws LockInterruptedException if the thread is interrupted; the queue is left and the interrupt flag is set
     * @throws LockStoreException if Cassandra could not be reached, or refused, for a whole lease
     */
    RemoteLock getLock(String lockId);

    /**
     * Waits until this thread holds the lock, at most for the given time.
     *
     * @param lockId names the resource
     * @param timeout how long to wait at most; more than zero
     * @return the held lock, to be closed in a {@code try} statement
     * @throws LockTimeoutException if the lock was not granted in time; the queue is left
     * @throws LockInterruptedException if the thread is interrupted; the queue is left and the interrupt flag is set
     * @throws LockStoreException if Cassandra could not be reached, or refused, for a whole lease
     */
    RemoteLock getLock(String lockId, Duration timeout);

    /**
     * Takes the lock if nobody holds it. Of several that try at once on a free lock, at least one gets it.
     *
     * @param lockId names the resource
     * @return the held lock, or empty if someone holds it, be it this thread
     * @throws LockInterruptedException if the thread is interrupted before the answer is known
     * @throws LockStoreException if Cassandra could not be reached, or refused
     */
    Optional<RemoteLock> tryGetLock(String lockId);

    /**
     * Queues for the lock without occupying a thread.
     *
     * <p>The future completes on one of four threads of the locker's own, never on one of the driver's. What follows it there
     * must not block for long, and not wait for another answer at all; what does, belongs on a pool of the caller's, by {@link
     * CompletableFuture#thenAcceptAsync(java.util.function.Consumer, java.util.concurrent.Executor)}. Losses are told on other
     * threads. The future fails with what {@link #getLock(String)} would throw. Cancelling it, or completing it in any other
     * way, leaves the queue; a grant that crosses the cancellation on its way is released.
     *
     * @param lockId names the resource
     * @return completes with the held lock when it is granted
     */
    CompletableFuture<RemoteLock> getLockAsync(String lockId);

    /**
     * Queues for the lock without occupying a thread, at most for the given time. What holds for the future of {@link
     * #getLockAsync(String)} holds here.
     *
     * @param lockId names the resource
     * @param timeout how long to wait at most; more than zero
     * @return completes with the held lock when it is granted; exceptionally with {@link LockTimeoutException} if it is not
     *     granted in time, and the queue is left
     */
    CompletableFuture<RemoteLock> getLockAsync(String lockId, Duration timeout);

    /**
     * Takes the lock if nobody holds it, without occupying a thread. What holds for {@link #tryGetLock(String)} and for the
     * future of {@link #getLockAsync(String)} holds here.
     *
     * @param lockId names the resource
     * @return completes with the held lock, or with empty if someone holds it
     */
    CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(String lockId);
}

package io.github.cassandralock.kotlin

import io.github.cassandralock.LockRequest
import io.github.cassandralock.MultiLockRequest
import io.github.cassandralock.RemoteLock
import io.github.cassandralock.RemoteLocker
import io.github.cassandralock.RemoteLocks
import io.github.cassandralock.internal.kotlin.OneLock
import io.github.cassandralock.internal.kotlin.SeveralLocks
import kotlin.time.Duration
import kotlinx.coroutines.CoroutineScope

/**
 * Waits for the lock, runs [block] under it, and releases it. Suspends, and blocks no thread. The lock belongs to the call, not to a
 * thread: the block may change threads.
 *
 * The block is a [CoroutineScope]. The lock is held until the block and all coroutines that it launches in this scope have ended. It
 * runs with the dispatcher of the caller; in a context without a dispatcher, or with `Dispatchers.Unconfined`, with `Dispatchers.Default`.
 *
 * - **Cancellation**, also by `withTimeout`, withdraws a waiting call from the queue. A lock that is granted meanwhile is released at
 *   once. A lock that is held is released when the block has ended; this release cannot be cancelled.
 * - **Failure** of the block is thrown on. If the release fails as well, that exception is its suppressed exception.
 * - **Loss** of the lock does not end the block. `lock.ensureHeld()` checks it before a step that cannot be undone, and
 *   `lock.onLost { cancel() }` cancels the block. If the lock was lost before the block has returned or was cancelled by itself,
 *   the call throws [io.github.cassandralock.LockLostException].
 *
 * The block does not close the lock. It calls the methods of the lock that do no I/O, and `…Async(…).await()` in place of those that block.
 *
 * @param lockId the name of the resource
 * @param timeout the longest time to wait for the lock; more than zero
 * @param block runs while the lock is held
 * @return the result of the block
 * @throws io.github.cassandralock.LockTimeoutException if the lock was not granted in time: the block has not run
 * @throws io.github.cassandralock.LockLostException if the lock was lost
 * @throws io.github.cassandralock.LockStoreException as [RemoteLocker.getLock] throws it
 * @throws IllegalStateException if this coroutine holds the lock by this function and would wait for itself; if the locker is
 *        closed
 * @throws IllegalArgumentException if the lock id or the timeout is outside its bounds
 */
public suspend fun <T> RemoteLocker.withLock(
    lockId: String,
    timeout: Duration = Duration.INFINITE,
    block: suspend CoroutineScope.(lock: RemoteLock) -> T,
): T = withLock(LockRequest.of(lockId), timeout, block)

/**
 * Waits for the lock of a request, and runs [block] under it, as [withLock] with a lock id does.
 *
 * @param request which lock, and how it is to be held
 * @param timeout the longest time to wait for the lock; more than zero
 * @param block runs while the lock is held
 * @return the result of the block
 */
public suspend fun <T> RemoteLocker.withLock(
    request: LockRequest,
    timeout: Duration = Duration.INFINITE,
    block: suspend CoroutineScope.(lock: RemoteLock) -> T,
): T = OneLock(this, request).waitAndRun(timeout, block)

/**
 * Waits for all these locks, and runs [block] under them, as [withLock] with a lock id does. The locks are taken in an order that is
 * equal in all processes; if the call fails, it holds none of them.
 *
 * @param lockIds the names of the resources; a name that occurs more than once counts once
 * @param timeout the longest time to wait for all of them together; more than zero
 * @param block runs while the locks are held
 * @return the result of the block
 */
public suspend fun <T> RemoteLocker.withLocks(
    lockIds: Collection<String>,
    timeout: Duration = Duration.INFINITE,
    block: suspend CoroutineScope.(locks: RemoteLocks) -> T,
): T = withLocks(MultiLockRequest.of(lockIds), timeout, block)

/**
 * Waits for all locks of a request, and runs [block] under them, as [withLocks] with lock ids does.
 *
 * A path of this hierarchy inside the block throws [IllegalStateException], unless both requests name the same owner.
 *
 * @param requests which locks, and how they are to be held
 * @param timeout the longest time to wait for all of them together; more than zero
 * @param block runs while the locks are held
 * @return the result of the block
 */
public suspend fun <T> RemoteLocker.withLocks(
    requests: MultiLockRequest,
    timeout: Duration = Duration.INFINITE,
    block: suspend CoroutineScope.(locks: RemoteLocks) -> T,
): T = SeveralLocks(this, requests).waitAndRun(timeout, block)

/**
 * Runs [block] under the lock, as [withLock] does, or returns null if others have the lock. Does not wait for them, unless a timeout is
 * given.
 *
 * @param lockId the name of the resource
 * @param timeout the longest time to wait for the lock; zero: not at all
 * @param block runs while the lock is held
 * @return the result of the block, or null if the lock is taken: the block has not run
 * @throws io.github.cassandralock.LockTimeoutException if requests to Cassandra failed until the time was over
 */
public suspend fun <T> RemoteLocker.withLockOrNull(
    lockId: String,
    timeout: Duration = Duration.ZERO,
    block: suspend CoroutineScope.(lock: RemoteLock) -> T,
): T? = withLockOrNull(LockRequest.of(lockId), timeout, block)

/**
 * Runs [block] under the lock of a request, or returns null if it is taken. See [withLockOrNull] with a lock id.
 *
 * @param request which lock, and how it is to be held
 * @param timeout the longest time to wait for the lock; zero: not at all
 * @param block runs while the lock is held
 * @return the result of the block, or null if the lock is taken: the block has not run
 */
public suspend fun <T> RemoteLocker.withLockOrNull(
    request: LockRequest,
    timeout: Duration = Duration.ZERO,
    block: suspend CoroutineScope.(lock: RemoteLock) -> T,
): T? = OneLock(this, request).runOrNull(timeout, block)

/**
 * Runs [block] under all these locks, or returns null if others have one of them, as [withLockOrNull] does.
 *
 * @param lockIds the names of the resources; a name that occurs more than once counts once
 * @param timeout the longest time to wait for all of them together; zero: not at all
 * @param block runs while the locks are held
 * @return the result of the block; null if a lock is taken: the block has not run, and nothing is held
 */
public suspend fun <T> RemoteLocker.withLocksOrNull(
    lockIds: Collection<String>,
    timeout: Duration = Duration.ZERO,
    block: suspend CoroutineScope.(locks: RemoteLocks) -> T,
): T? = withLocksOrNull(MultiLockRequest.of(lockIds), timeout, block)

/**
 * Runs [block] under all locks of a request, or returns null if others have one of them, as [withLockOrNull] does.
 *
 * @param requests which locks, and how they are to be held
 * @param timeout the longest time to wait for all of them together; zero: not at all
 * @param block runs while the locks are held
 * @return the result of the block; null if a lock is taken: the block has not run, and nothing is held
 */
public suspend fun <T> RemoteLocker.withLocksOrNull(
    requests: MultiLockRequest,
    timeout: Duration = Duration.ZERO,
    block: suspend CoroutineScope.(locks: RemoteLocks) -> T,
): T? = SeveralLocks(this, requests).runOrNull(timeout, block)

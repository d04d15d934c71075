package io.github.cassandralock.internal.kotlin

import io.github.cassandralock.LockRequest
import io.github.cassandralock.MultiLockRequest
import io.github.cassandralock.RemoteLock
import io.github.cassandralock.RemoteLocker
import io.github.cassandralock.RemoteLocks
import java.time.Duration as JavaDuration
import java.util.Optional
import java.util.concurrent.CompletableFuture
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.isActive
import kotlinx.coroutines.withContext

private const val LOCKS_ARE_NOT_REENTRANT =
    "Locks are not reentrant. Pass the lock of the outer block to the inner function, or take all locks by one call of withLocks"

private const val PATHS_ARE_NOT_REENTRANT =
    "Paths are reentrant for each LockOwner only. Take all paths by one call of withLocks, or name the same owner in both requests," +
        " each for a LockPath"

/** A call of a coroutine for what [L] stands for: one lock or several. */
internal abstract class SuspendingCall<L : Any>(private val locker: RemoteLocker, private val requests: List<LockRequest>) {

    protected abstract fun get(): CompletableFuture<L>

    protected abstract fun get(timeout: JavaDuration): CompletableFuture<L>

    protected abstract fun tryGet(): CompletableFuture<Optional<L>>

    protected abstract fun tryGet(timeout: JavaDuration): CompletableFuture<Optional<L>>

    protected abstract fun isHeld(locks: L): Boolean

    protected abstract fun ensureHeld(locks: L)

    protected abstract fun close(locks: L): CompletableFuture<Void>

    suspend fun <T> waitAndRun(timeout: Duration, block: suspend CoroutineScope.(L) -> T): T = dispatched {
        refuseWaitingForOneself()
        val locks = granted({ if (timeout == Duration.INFINITE) get() else get(timeout.saturated()) }) { close(it) }
        run(locks, block)
    }

    suspend fun <T> runOrNull(timeout: Duration, block: suspend CoroutineScope.(L) -> T): T? = dispatched {
        val waits = timeout != Duration.ZERO
        if (waits) {
            refuseWaitingForOneself()
        }
        val locks = granted({ if (waits) tryGet(timeout.saturated()) else tryGet() }) { it.ifPresent(::close) }
        if (locks.isPresent) run(locks.get(), block) else null
    }

    /**
     * Awaits the answer of the locker. If the coroutine is cancelled, the call leaves the queue. If the coroutine is cancelled
     * between the answer's arrival and its receipt, the locks are released in the background.
     */
    private suspend fun <A : Any> granted(call: () -> CompletableFuture<A>, release: (A) -> Unit): A {
        currentCoroutineContext().ensureActive()
        val answer = call()
        return keeping({ answer.await() }) {
            if (!answer.cancel(false) && !answer.isCompletedExceptionally) {
                release(answer.join())
            }
        }
    }

    private suspend fun <T> run(locks: L, block: suspend CoroutineScope.(L) -> T): T {
        val result = keeping({ underLock(locks, block) }) { releaseAndWait(locks) }
        releaseAndWait(locks)
        return result
    }

    private suspend fun <T> underLock(locks: L, block: suspend CoroutineScope.(L) -> T): T {
        val held = HeldLocks(locker, requests, { isHeld(locks) }, currentCoroutineContext()[HeldLocks])
        try {
            return withContext(held) { block(locks) }.also { ensureHeld(locks) }
        } catch (cancelled: CancellationException) {
            // A block that is cancelled alone may have seen the loss. A cancellation would end the caller without a failure.
            if (currentCoroutineContext().isActive) {
                keeping({ throwIfLost(locks) }) { throw cancelled }
            }
            throw cancelled
        }
    }

    private fun throwIfLost(locks: L) {
        try {
            ensureHeld(locks)
        } catch (closed: IllegalStateException) {
            return
        }
    }

    private suspend fun releaseAndWait(locks: L) {
        withContext(NonCancellable) { close(locks).await() }
    }

    private suspend fun refuseWaitingForOneself() {
        val outer = generateSequence(currentCoroutineContext()[HeldLocks]) { it.outer }
        requests.forEach { request ->
            check(outer.none { it.blocks(locker, request) }) {
                "Lock '${request.lockId}' is held by a withLock around this call, which would wait for itself. " +
                    if (request.path.isPresent) PATHS_ARE_NOT_REENTRANT else LOCKS_ARE_NOT_REENTRANT
            }
        }
    }
}

/**
 * Answers of the locker arrive on its few callback threads. A coroutine that no dispatcher takes from there would run its block, and
 * what follows, on these threads. If it blocked them, no other call would receive an answer.
 */
private suspend fun <R> dispatched(work: suspend () -> R): R {
    val interceptor = currentCoroutineContext()[ContinuationInterceptor]
    val staysOnCallbackThreads = interceptor == null || interceptor === Dispatchers.Unconfined
    return if (staysOnCallbackThreads) withContext(Dispatchers.Default) { work() } else work()
}

/** Runs [work]. If it fails, runs [afterFailure], and throws the failure of the work; a further failure is its suppressed exception. */
private suspend fun <R> keeping(work: suspend () -> R, afterFailure: suspend () -> Unit): R {
    try {
        return work()
    } catch (failure: Throwable) {
        try {
            afterFailure()
        } catch (further: Throwable) {
            failure.addSuppressed(further)
        }
        throw failure
    }
}

/** Without end from 292 years on, as the locker has it. */
private fun Duration.saturated(): JavaDuration = JavaDuration.ofNanos(inWholeNanoseconds)

internal class OneLock(private val locker: RemoteLocker, private val request: LockRequest) :
    SuspendingCall<RemoteLock>(locker, listOf(request)) {

    override fun get(): CompletableFuture<RemoteLock> = locker.getLockAsync(request)

    override fun get(timeout: JavaDuration): CompletableFuture<RemoteLock> = locker.getLockAsync(request, timeout)

    override fun tryGet(): CompletableFuture<Optional<RemoteLock>> = locker.tryGetLockAsync(request)

    override fun tryGet(timeout: JavaDuration): CompletableFuture<Optional<RemoteLock>> =
        locker.tryGetLockAsync(request, timeout)

    override fun isHeld(locks: RemoteLock): Boolean = locks.isHeld

    override fun ensureHeld(locks: RemoteLock): Unit = locks.ensureHeld()

    override fun close(locks: RemoteLock): CompletableFuture<Void> = locks.closeAsync()
}

internal class SeveralLocks(private val locker: RemoteLocker, private val request: MultiLockRequest) :
    SuspendingCall<RemoteLocks>(locker, request.requests) {

    override fun get(): CompletableFuture<RemoteLocks> = locker.getLocksAsync(request)

    override fun get(timeout: JavaDuration): CompletableFuture<RemoteLocks> = locker.getLocksAsync(request, timeout)

    override fun tryGet(): CompletableFuture<Optional<RemoteLocks>> = locker.tryGetLocksAsync(request)

    override fun tryGet(timeout: JavaDuration): CompletableFuture<Optional<RemoteLocks>> =
        locker.tryGetLocksAsync(request, timeout)

    override fun isHeld(locks: RemoteLocks): Boolean = locks.isHeld

    override fun ensureHeld(locks: RemoteLocks): Unit = locks.ensureHeld()

    override fun close(locks: RemoteLocks): CompletableFuture<Void> = locks.closeAsync()
}

/** The locks of the blocks in which a coroutine runs. Coroutines that are launched in a block inherit them; others do not. */
private class HeldLocks(
    private val locker: RemoteLocker,
    private val requests: List<LockRequest>,
    private val held: () -> Boolean,
    val outer: HeldLocks?,
) : AbstractCoroutineContextElement(HeldLocks) {

    /** Whether a call for this lock would wait for the end of the block. */
    fun blocks(locker: RemoteLocker, inner: LockRequest): Boolean =
        locker === this.locker && requests.any { it.lockId == inner.lockId && !isReentrant(it, inner) } && held()

    /** The locker counts the nodes of paths for each owner. */
    private fun isReentrant(outer: LockRequest, inner: LockRequest): Boolean =
        outer.path.isPresent && inner.path.isPresent && inner.owner.isPresent && inner.owner == outer.owner

    companion object Key : CoroutineContext.Key<HeldLocks>
}

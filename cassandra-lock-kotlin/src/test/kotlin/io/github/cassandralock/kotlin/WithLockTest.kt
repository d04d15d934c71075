package io.github.cassandralock.kotlin

import io.github.cassandralock.LockLostException
import io.github.cassandralock.LockMode
import io.github.cassandralock.LockOwner
import io.github.cassandralock.LockPath
import io.github.cassandralock.LockRequest
import io.github.cassandralock.LockTimeoutException
import io.github.cassandralock.MultiLockRequest
import io.github.cassandralock.RemoteLock
import io.github.cassandralock.RemoteLocker
import io.github.cassandralock.test.InMemoryRemoteLocker
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.Continuation
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.await
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/**
 * Locks of coroutines, over the real locker with its tables in memory. Costs a second. Catches a lock that is held after its coroutine
 * has gone, a thread that waits, and a failure or a loss that the caller does not see.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WithLockTest {

    private val locks = InMemoryRemoteLocker()

    @AfterEach
    fun close() {
        locks.close()
    }

    /** All coroutines of a test run on its one thread, so a call that blocks it ends nothing. */
    private fun test(body: suspend CoroutineScope.() -> Unit): Unit = runBlocking {
        body()
        coroutineContext[Job]!!.children.forEach { it.join() }
        assertThat(locks.isTaken("a")).isFalse()
    }

    private fun thrownBy(work: suspend CoroutineScope.() -> Any?): Throwable? = runBlocking { thrownIn { work() } }

    private suspend fun thrownIn(work: suspend () -> Any?): Throwable? =
        try {
            work()
            null
        } catch (failure: Throwable) {
            failure
        }

    /** Completes when another call waits for the lock. */
    private fun RemoteLock.contention() = CompletableFuture<Void>().also { seen -> onContention { seen.complete(null) } }

    /** A locker that grants what the test completes. */
    private fun answering(answer: CompletableFuture<RemoteLock>): RemoteLocker = object : RemoteLocker by locks {
        override fun getLockAsync(request: LockRequest): CompletableFuture<RemoteLock> = answer
    }

    private fun RemoteLock.closedBy(close: (RemoteLock) -> CompletableFuture<Void>): RemoteLock {
        val lock = this
        return object : RemoteLock by lock {
            override fun closeAsync() = close(lock)
        }
    }

    @Test
    fun blockRunsUnderTheLockOnAnyThread() = test {
        val before = Thread.currentThread()
        val result = locks.withLock("a") { lock ->
            assertThat(lock.lockId).isEqualTo("a")
            withContext(Dispatchers.IO) {
                assertThat(Thread.currentThread()).isNotSameAs(before)
                assertThat(locks.isTaken("a")).isTrue()
                lock.ensureHeld()
                lock.reserveFencingTokenAsync().await()
            }
        }
        assertThat(result).isPositive()
    }

    @Test
    fun waitingCoroutineBlocksNoThread() = test {
        val gate = CompletableDeferred<Unit>()
        val order = mutableListOf<Int>()
        launch(start = CoroutineStart.UNDISPATCHED) {
            locks.withLock("a") { lock ->
                val seen = lock.contention()
                gate.await()
                seen.await()
                order += 1
            }
        }
        launch(start = CoroutineStart.UNDISPATCHED) { locks.withLock("a") { order += 2 } }
        gate.complete(Unit)
        while (order.size < 2) {
            yield()
        }
        assertThat(order).containsExactly(1, 2)
    }

    @Test
    fun cancelledWaiterLeavesTheQueue() = test {
        val held = locks.getLock("a")
        val seen = held.contention()
        val waiter = launch { locks.withLock("a") { error("runs") } }
        seen.await()
        waiter.cancelAndJoin()
        held.close()
        assertThat(locks.withLockOrNull("a") { "free" }).isEqualTo("free")
    }

    @Test
    fun lockThatArrivesWhileTheCoroutineIsCancelledIsReleased() = test {
        val answer = CompletableFuture<RemoteLock>()
        val waiter = launch(start = CoroutineStart.UNDISPATCHED) { answering(answer).withLock("a") { error("runs") } }
        answer.complete(locks.getLock("a"))
        waiter.cancelAndJoin()
        assertThat(locks.isTaken("a")).isFalse()
    }

    @Test
    fun nothingIsRequestedByACancelledCoroutine() = test {
        var asked = 0
        val counting = object : RemoteLocker by locks {
            override fun getLockAsync(request: LockRequest) = locks.getLockAsync(request).also { asked++ }
        }
        launch {
            cancel()
            counting.withLock("a") { error("runs") }
        }.join()
        assertThat(asked).isZero()
    }

    @Test
    fun noLockStaysHeldHoweverCoroutinesAreCancelled() {
        for (seed in 1..5) {
            val random = Random(seed)
            val holders = List(2) { AtomicInteger() }
            runBlocking(Dispatchers.Default) {
                List(200) { number ->
                    launch {
                        locks.withLock("id:${number % 2}") {
                            assertThat(holders[number % 2].incrementAndGet()).isEqualTo(1)
                            try {
                                yield()
                            } finally {
                                holders[number % 2].decrementAndGet()
                            }
                        }
                    } to random.nextInt(3)
                }.onEach { (job, kind) -> if (kind > 0) launch { job.cancel() } }.map { it.first }.joinAll()
            }
            assertThat(locks).hasToString("InMemoryRemoteLocker[0 locks held]")
        }
    }

    @Test
    fun releaseIsNotCancelled() = test {
        val released = CompletableFuture<Void>()
        val lock = locks.getLock("a").closedBy { held -> held.closeAsync().thenCompose { released } }
        val begun = CompletableDeferred<Unit>()
        val holder = launch {
            answering(CompletableFuture.completedFuture(lock)).withLock("a") {
                begun.complete(Unit)
                awaitCancellation()
            }
        }
        begun.await()
        holder.cancel()
        while (lock.isHeld) {
            yield()
        }
        repeat(10) { yield() }
        assertThat(holder.isCompleted).`as`("ended before its release").isFalse()
        released.complete(null)
        holder.join()
    }

    @Test
    fun failureOfTheBlockIsThrownAndThatOfTheReleaseIsSuppressed() {
        val lock = locks.getLock("a").closedBy {
            it.close()
            CompletableFuture.failedFuture(UnsupportedOperationException("release"))
        }
        val locker = answering(CompletableFuture.completedFuture(lock))
        assertThat(thrownBy { locker.withLock("a") { throw NoSuchElementException("block") } })
            .isInstanceOf(NoSuchElementException::class.java)
            .hasMessage("block")
            .satisfies({ failure -> assertThat(failure.suppressed.map { it.message }).containsExactly("release") })
    }

    @Test
    fun timeoutOfTheCoroutineEndsTheWaitAndTheBlock() {
        val held = locks.getLock("a")
        assertThat(thrownBy { withTimeout(20.milliseconds) { locks.withLock("a") { } } })
            .isInstanceOf(TimeoutCancellationException::class.java)
        held.close()
        assertThat(thrownBy { withTimeout(20.milliseconds) { locks.withLock("a") { awaitCancellation() } } })
            .isInstanceOf(TimeoutCancellationException::class.java)
        assertThat(thrownBy { locks.withLock("a") { withTimeout(20.milliseconds) { awaitCancellation() } } })
            .isInstanceOf(TimeoutCancellationException::class.java)
        assertThat(locks.isTaken("a")).isFalse()
    }

    @Test
    fun lossIsSeenInTheBlockAndThrownAfterIt() {
        val seen = mutableListOf<Boolean>()
        val failure = thrownBy {
            locks.withLock("a") { lock ->
                locks.lose("a", "the lease ran out")
                seen += lock.isHeld
            }
        }
        assertThat(failure).isInstanceOf(LockLostException::class.java)
        assertThat(seen).containsExactly(false)
    }

    @Test
    fun blockThatIsCancelledAtTheLossFailsWithTheLoss() {
        val failure = thrownBy {
            locks.withLock("a") { lock ->
                lock.onLost { cancel() }
                locks.lose("a", "the lease ran out")
                awaitCancellation()
            }
        }
        assertThat(failure).isInstanceOf(LockLostException::class.java)
        assertThat(failure!!.suppressed).singleElement().isInstanceOf(CancellationException::class.java)
    }

    @Test
    fun lockIsHeldUntilTheCoroutinesOfTheBlockHaveEnded() = test {
        val gate = CompletableDeferred<Unit>()
        val taken = CompletableDeferred<Boolean>()
        val holder = launch {
            locks.withLock("a") {
                launch {
                    gate.await()
                    taken.complete(locks.isTaken("a"))
                }
            }
        }
        while (!locks.isTaken("a")) {
            yield()
        }
        gate.complete(Unit)
        holder.join()
        assertThat(taken.await()).isTrue()
    }

    @Test
    fun waitForALockOfAnOuterBlockIsRefused() = test {
        for (inner in listOf<suspend () -> Unit>(
            { locks.withLock("a") { } },
            { locks.withLock("a", 1.minutes) { } },
            { locks.withLockOrNull("a", 1.minutes) { } },
            { locks.withLocks(listOf("b", "a")) { } },
            { locks.withLock("b") { coroutineScope { launch { locks.withLock("a") { } } } } },
        )) {
            assertThat(thrownBy { locks.withLock("a") { inner() } })
                .isInstanceOf(IllegalStateException::class.java)
                .hasMessageContainingAll("'a'", "wait for itself")
        }
        locks.withLock("a") { assertThat(locks.withLockOrNull("a") { "runs" }).isNull() }
    }

    @Test
    fun waitForAPathOfTheHierarchyOfAnOuterBlockIsRefused() = test {
        val bank = LockPath.of("bank")
        val first = MultiLockRequest.ofPath(bank.child("1"))
        val second = MultiLockRequest.ofPath(bank.child("2"))
        val owner = LockOwner.named("transfer")
        val byId = MultiLockRequest.of(listOf("bank"))
        for ((outer, inner) in listOf(
            first to first,
            first to second,
            first to MultiLockRequest.ofPath(bank),
            MultiLockRequest.ofPath(bank) to first,
            first to first.owner(owner),
            first.owner(owner) to first,
            first.owner(owner) to second.owner(LockOwner.named("another")),
            byId to first,
            first to byId,
            first.owner(owner) to byId.owner(owner),
        )) {
            for (wait in listOf<suspend () -> Any?>(
                { locks.withLocks(inner) { } },
                { locks.withLocksOrNull(inner, 1.minutes) { } },
            )) {
                assertThat(thrownBy { locks.withLocks(outer) { wait() } }).`as`("%s in %s", inner, outer)
                    .isInstanceOf(IllegalStateException::class.java)
                    .hasMessageContainingAll("'bank", "wait for itself", "by one call of withLocks")
            }
        }
        assertThat(locks).hasToString("InMemoryRemoteLocker[0 locks held]")
    }

    @Test
    fun pathsOfOneOwnerAreReentrant() = test {
        val owner = LockOwner.named("transfer")
        val first = MultiLockRequest.ofPath(LockPath.of("bank", "1")).owner(owner)
        val second = MultiLockRequest.ofPath(LockPath.of("bank", "2")).owner(owner)
        val result = locks.withLocks(first) { locks.withLocks(first) { locks.withLocks(second) { "ran" } } }
        assertThat(result).isEqualTo("ran")
        locks.withLocks(first) { locks.withLocks(MultiLockRequest.ofPath(LockPath.of("shop", "1"))) { } }
        assertThat(locks).hasToString("InMemoryRemoteLocker[0 locks held]")
    }

    /** Runs without a dispatcher if the context has none. */
    private fun <T> started(context: CoroutineContext, work: suspend () -> T): CompletableFuture<T> {
        val ended = CompletableFuture<T>()
        work.startCoroutine(Continuation(context) { result -> result.fold(ended::complete, ended::completeExceptionally) })
        return ended
    }

    @Test
    fun blocksWithoutADispatcherDelayNoGrantToOthers() {
        for (context in listOf(EmptyCoroutineContext, Dispatchers.Unconfined)) {
            val gate = CountDownLatch(1)
            val ids = (1..5).map { "id:$it" }
            val held = ids.map { locks.getLock(it) }
            val works = ids.map { id ->
                started(context) {
                    locks.withLock(id) { gate.await() }
                    gate.await()
                    Thread.currentThread().name
                }
            }
            held.forEach { it.close() }
            try {
                locks.getLockAsync("a").get(10, TimeUnit.SECONDS).close()
            } finally {
                gate.countDown()
            }
            assertThat(works.map { it.get(10, TimeUnit.SECONDS) }).allSatisfy { thread ->
                assertThat(thread).`as`("after the block, with %s", context).doesNotStartWith("cassandra-lock-")
            }
        }
    }

    @Test
    fun failureArrivesOnNoThreadOfTheLocker() {
        val held = locks.getLock("a")
        for (context in listOf(EmptyCoroutineContext, Dispatchers.Unconfined)) {
            val thread = started(context) {
                assertThat(thrownIn { locks.withLock("a", 20.milliseconds) { } }).isInstanceOf(LockTimeoutException::class.java)
                assertThat(locks.withLockOrNull("a") { }).isNull()
                Thread.currentThread().name
            }
            assertThat(thread.get(10, TimeUnit.SECONDS)).doesNotStartWith("cassandra-lock-")
        }
        held.close()
    }

    @Test
    fun blockKeepsTheDispatcherOfTheCaller() = test {
        val dispatcher = coroutineContext[ContinuationInterceptor]
        locks.withLock("a") { assertThat(coroutineContext[ContinuationInterceptor]).isSameAs(dispatcher) }
    }

    @Test
    fun flowEmitsFromTheBlockByAChannelOnly() = test {
        assertThat(thrownBy { flow<Int> { locks.withLock("a") { emit(1) } }.toList() }).isInstanceOf(IllegalStateException::class.java)
        assertThat(channelFlow<Int> { locks.withLock("a") { send(1) } }.toList()).containsExactly(1)
    }

    @Test
    fun coroutinesBesideEachOtherWaitForEachOther() = test {
        val gate = CompletableDeferred<Unit>()
        var runs = 0
        locks.withLock("b") {
            repeat(2) {
                launch {
                    locks.withLock("a") {
                        gate.await()
                        runs++
                    }
                }
            }
            gate.complete(Unit)
        }
        assertThat(runs).isEqualTo(2)
    }

    @Test
    fun blockThatClosesItsLockFails() {
        var runs = 0
        val failure = thrownBy {
            locks.withLock("a") { lock ->
                lock.closeAsync().await()
                locks.withLock("a", 5.seconds) { runs++ }
            }
        }
        assertThat(failure).isInstanceOf(IllegalStateException::class.java).hasMessageContaining("closed")
        assertThat(runs).`as`("a lock that was closed is not that of an outer block").isEqualTo(1)
    }

    @Test
    fun takenLockIsATimeoutOrNull() {
        val held = locks.getLock("a")
        assertThat(thrownBy { locks.withLock("a", 20.milliseconds) { error("runs") } })
            .isInstanceOf(LockTimeoutException::class.java)
        assertThat(thrownBy { locks.withLocks(listOf("b", "a"), 20.milliseconds) { error("runs") } })
            .isInstanceOf(LockTimeoutException::class.java)
        runBlocking {
            assertThat(locks.withLockOrNull("a") { "runs" }).isNull()
            assertThat(locks.withLockOrNull("a", 20.milliseconds) { "runs" }).isNull()
            assertThat(locks.withLocksOrNull(listOf("a", "b")) { "runs" }).isNull()
            assertThat(locks.withLocksOrNull(listOf("b", "a"), 20.milliseconds) { "runs" }).isNull()
        }
        assertThat(locks.isTaken("b")).isFalse()
        held.close()
        runBlocking {
            assertThat(locks.withLockOrNull("a", Duration.INFINITE) { "runs" }).isEqualTo("runs")
            val nothing: String? = locks.withLockOrNull(LockRequest.of("a")) { null }
            assertThat(nothing).isNull()
        }
    }

    @Test
    fun severalLocksAreHeldTogether() = test {
        val requests = MultiLockRequest.of(listOf("a", "b")).mode(LockMode.PROTECTED_READ)
        val modes = locks.withLocks(requests) { held -> held.lockIds.map { held.get(it).mode } }
        assertThat(modes).containsExactly(LockMode.PROTECTED_READ, LockMode.PROTECTED_READ)
        assertThat(locks.withLocksOrNull(requests) { it.isHeld }).isTrue()
        assertThat(locks.isTaken("b")).isFalse()
    }

    @Test
    fun wrongTimeoutsAndIdsAreRefused() {
        for (timeout in listOf(-1.seconds, -Duration.INFINITE)) {
            assertThatThrownBy { runBlocking { locks.withLockOrNull("a", timeout) { } } }
                .isInstanceOf(IllegalArgumentException::class.java)
            assertThatThrownBy { runBlocking { locks.withLock("a", timeout) { } } }
                .isInstanceOf(IllegalArgumentException::class.java)
        }
        assertThatThrownBy { runBlocking { locks.withLock("a", Duration.ZERO) { } } }
            .isInstanceOf(IllegalArgumentException::class.java)
        assertThatThrownBy { runBlocking { locks.withLock("") { } } }.isInstanceOf(IllegalArgumentException::class.java)
    }

    @Test
    fun closedLockerEndsTheWait() {
        val held = locks.getLock("a")
        val seen = held.contention()
        seen.thenRun { locks.close() }
        assertThat(thrownBy { locks.withLock("a") { error("runs") } }).isInstanceOf(IllegalStateException::class.java)
    }
}

package io.github.cassandralock.it

import io.github.cassandralock.LockRequest
import io.github.cassandralock.RemoteLock
import io.github.cassandralock.RemoteLocker
import io.github.cassandralock.kotlin.withLock
import io.github.cassandralock.kotlin.withLockOrNull
import io.github.cassandralock.kotlin.withLocks
import io.github.cassandralock.kotlin.withLocksOrNull
import java.time.Duration
import java.util.concurrent.CompletableFuture
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull

/** Java cannot call suspend functions. All coroutines of a call share one thread: one that blocks it ends nothing. */
object CoroutineLocks {

    /** The tokens of all blocks, in the order in which the blocks ran. */
    @JvmStatic
    fun tokensInTurns(lockers: List<RemoteLocker>, coroutines: Int, rounds: Int): List<Long> {
        val tokens = ArrayList<Long>() // not thread-safe, as the lock is to protect it
        runBlocking {
            repeat(coroutines) { number ->
                launch {
                    repeat(rounds) {
                        lockers[number % lockers.size].withLock("turns", 60.seconds) { lock ->
                            val token = lock.reserveFencingTokenAsync().await()
                            withContext(Dispatchers.Default) {
                                lock.ensureHeld()
                                tokens += token
                            }
                        }
                    }
                }
            }
        }
        return tokens
    }

    /** Cancels a coroutine that waits for a lock of another application. */
    @JvmStatic
    fun cancelsAWaiter(waiting: RemoteLocker, held: RemoteLock) = runBlocking {
        val seen = CompletableFuture<Void>()
        held.onContention { seen.complete(null) }
        val waiter = launch { waiting.withLock(held.lockId) { error("runs") } }
        seen.await()
        waiter.cancelAndJoin()
    }

    @JvmStatic
    fun orNull(locker: RemoteLocker, lockId: String): List<String?> = runBlocking {
        listOf(
            locker.withLockOrNull(lockId) { "ran" },
            locker.withLockOrNull(lockId, 300.milliseconds) { "ran" },
            locker.withLocksOrNull(listOf(lockId, "another")) { "ran" },
            withTimeoutOrNull(300.milliseconds) { locker.withLock(lockId) { "ran" } },
        )
    }

    @JvmStatic
    fun holdsAtMost(locker: RemoteLocker, lockId: String): Unit = runBlocking {
        locker.withLock(LockRequest.of(lockId).holdAtMost(Duration.ofMillis(300))) { lock ->
            lock.onLost { cancel() }
            awaitCancellation()
        }
    }

    @JvmStatic
    fun transfer(locker: RemoteLocker, isTaken: (String) -> Boolean): List<Boolean> = runBlocking {
        locker.withLocks(listOf("to", "from"), 10.seconds) { locks ->
            delay(5)
            locks.lockIds.map { withContext(Dispatchers.IO) { isTaken(it) } }
        }
    }
}

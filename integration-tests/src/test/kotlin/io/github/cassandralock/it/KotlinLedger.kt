package io.github.cassandralock.it

import io.github.cassandralock.CurrentLock
import io.github.cassandralock.DistributedLock
import io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK
import io.github.cassandralock.reactor.ReactiveCurrentLock
import java.util.concurrent.CompletableFuture
import java.util.function.Supplier
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Suspend functions under their locks. Each reads its lock on another thread than that on which it was called. */
open class KotlinLedger(private val currentLock: CurrentLock, private val reactiveCurrentLock: ReactiveCurrentLock) {

    @DistributedLock(key = "'account:' + #id")
    open suspend fun book(id: Long, isTaken: Supplier<Boolean>): String {
        delay(20)
        return withContext(Dispatchers.Default) {
            val lock = reactiveCurrentLock.get().awaitSingle()
            lock.ensureHeld()
            "${lock.lockId} ${lock.reserveFencingTokenAsync().await() > 0} ${isTaken.get()}"
        }
    }

    @DistributedLock(key = "'account:' + #id")
    open suspend fun under(id: Long, work: suspend () -> String): String = work()

    @DistributedLock(key = "'account:' + #id")
    open suspend fun nothing(id: Long) {
        delay(1)
        reactiveCurrentLock.get("account:$id").awaitSingle().ensureHeld()
    }

    @DistributedLock(key = "'account:' + #id")
    open suspend fun failing(id: Long): String = throw IllegalArgumentException("account $id")

    @DistributedLock(key = "'account:' + #id")
    open suspend fun entries(id: Long): Flow<String> = flow {
        repeat(2) {
            delay(5)
            emit(reactiveCurrentLock.get().awaitSingle().lockId)
        }
    }

    @DistributedLock(key = "'account:' + #id")
    open fun coldEntries(id: Long): Flow<String> = flow { emit(reactiveCurrentLock.get().awaitSingle().lockId) }

    @DistributedLock(key = "'account:' + #id", strategy = TRY_GET_LOCK)
    open suspend fun tryToBook(id: Long): String? = "booked"

    @DistributedLock(keyGenerator = "perArgument")
    open suspend fun byGenerator(id: Long): String = reactiveCurrentLock.get().awaitSingle().lockId

    /** A thread is asked, where a coroutine has none of its own. */
    @DistributedLock(key = "'account:' + #id")
    open suspend fun byThread(id: Long): String = currentLock.get().lockId
}

interface SuspendingHandler {
    @DistributedLock(key = "'account:' + #id")
    suspend fun handle(id: Long): String
}

open class SuspendingHandlerBehindAnInterface(private val reactiveCurrentLock: ReactiveCurrentLock) : SuspendingHandler {
    override suspend fun handle(id: Long): String = reactiveCurrentLock.get().awaitSingle().lockId
}

open class SkipsWithoutAValue {
    @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
    open suspend fun run(): Int = 1
}

open class SkipsWithoutAText {
    @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
    open fun run(): String = "ran"
}

open class SuspendsAndReturnsAStage {
    @DistributedLock(key = "'k'")
    open suspend fun run(): CompletableFuture<String> = CompletableFuture.completedFuture("ran")
}

open class SuspendsAndReturnsASequence {
    @DistributedLock(key = "'k'")
    open suspend fun run(): Sequence<String> = sequenceOf("ran")
}

open class SuspendsAndIsInterrupted {
    @DistributedLock(key = "'k'", onLost = DistributedLock.OnLost.INTERRUPT)
    open suspend fun run() {}
}

/** Has parts that a cancellation does not end, as statements of JDBC are. */
open class BlockingLedger {

    @DistributedLock(key = "'account:' + #id")
    open suspend fun book(id: Long, statement: Runnable): String {
        withContext(Dispatchers.IO) { statement.run() }
        return "booked"
    }

    @DistributedLock(key = "'branch:' + #id")
    open suspend fun giveUp(id: Long, accounts: BlockingLedger, statement: Runnable, signal: CompletableFuture<Void>): String =
        coroutineScope {
            val booking = launch { accounts.book(id, statement) }
            signal.await()
            booking.cancelAndJoin()
            "given up"
        }

    @DistributedLock(key = "'branch:' + #id")
    open suspend fun bookAtBranch(id: Long, accounts: BlockingLedger, statement: Runnable): String = accounts.book(id, statement)
}

/** Java cannot call suspend functions. */
object LedgerCalls {

    @JvmStatic
    fun book(ledger: BlockingLedger, id: Long, statement: Runnable): CompletableFuture<String> =
        GlobalScope.future(Dispatchers.Default) { ledger.book(id, statement) }

    @JvmStatic
    fun bookAtBranch(ledger: BlockingLedger, id: Long, statement: Runnable): CompletableFuture<String> =
        GlobalScope.future(Dispatchers.Default) { ledger.bookAtBranch(id, ledger, statement) }

    @JvmStatic
    fun giveUp(ledger: BlockingLedger, id: Long, statement: Runnable, signal: CompletableFuture<Void>): CompletableFuture<String> =
        GlobalScope.future(Dispatchers.Unconfined) { ledger.giveUp(id, ledger, statement, signal) }

    @JvmStatic
    fun bookUnconfined(ledger: BlockingLedger, id: Long, statement: Runnable): CompletableFuture<String> =
        GlobalScope.future(Dispatchers.Unconfined) { ledger.book(id, statement) }

    @JvmStatic
    fun book(ledger: KotlinLedger, id: Long, isTaken: Supplier<Boolean>): String = runBlocking { ledger.book(id, isTaken) }

    @JvmStatic
    fun nested(ledger: KotlinLedger, outer: Long, inner: Long): String = runBlocking {
        ledger.under(outer) {
            ledger.nothing(outer)
            ledger.under(inner) { ledger.book(inner) { true } }
        }
    }

    @JvmStatic
    fun nothing(ledger: KotlinLedger, id: Long) = runBlocking { ledger.nothing(id) }

    @JvmStatic
    fun failing(ledger: KotlinLedger, id: Long): String = runBlocking { ledger.failing(id) }

    @JvmStatic
    fun entries(ledger: KotlinLedger, id: Long): List<String> = runBlocking { ledger.entries(id).toList() }

    @JvmStatic
    fun coldEntries(ledger: KotlinLedger, id: Long): List<String> = runBlocking { ledger.coldEntries(id).toList() }

    @JvmStatic
    fun tryToBook(ledger: KotlinLedger, id: Long): String? = runBlocking { ledger.tryToBook(id) }

    @JvmStatic
    fun byGenerator(ledger: KotlinLedger, id: Long): String = runBlocking { ledger.byGenerator(id) }

    @JvmStatic
    fun byThread(ledger: KotlinLedger, id: Long): String = runBlocking { ledger.byThread(id) }

    @JvmStatic
    fun handle(handler: SuspendingHandler, id: Long): String = runBlocking { handler.handle(id) }

    /** A coroutine that is cancelled while it waits for the lock or works under it. */
    @JvmStatic
    fun begin(ledger: KotlinLedger, id: Long, work: CompletableFuture<String>): CompletableFuture<String> =
        GlobalScope.future(Dispatchers.Default, CoroutineStart.DEFAULT) {
            ledger.under(id) {
                while (!work.isDone) {
                    delay(5)
                }
                work.join()
            }
        }
}

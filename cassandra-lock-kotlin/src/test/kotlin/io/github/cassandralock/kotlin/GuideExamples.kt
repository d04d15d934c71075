package io.github.cassandralock.kotlin

import io.github.cassandralock.LockMode
import io.github.cassandralock.LockRequest
import io.github.cassandralock.RemoteLocker
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.cancel
import kotlinx.coroutines.future.await

/** The blocks of docs/guide/kotlin.md, which KotlinBlocksTest of the documentation looks up here. They are compiled, and not run. */
@Suppress("unused", "UNUSED_VARIABLE")
internal class GuideExamples(private val locker: RemoteLocker, private val accounts: Accounts) {

    internal interface Accounts {
        suspend fun withdraw(id: Long, amount: Long, token: Long)

        suspend fun transfer(from: Long, to: Long, amount: Long)

        suspend fun prices(): List<Long>

        suspend fun bill(id: Long)
    }

    suspend fun withdraw(id: Long, amount: Long) = locker.withLock("account:$id", timeout = 5.seconds) { lock ->
        val token = lock.reserveFencingTokenAsync().await()
        lock.ensureHeld()                                   // before the step that cannot be undone
        accounts.withdraw(id, amount, token)
    }

    suspend fun bill(ids: List<Long>): Boolean? = locker.withLockOrNull(LockRequest.of("billing").holdAtMost(java.time.Duration.ofHours(1))) { lock ->
        lock.onLost { cancel() }                            // the block ends, and the call throws LockLostException
        ids.forEach { accounts.bill(it) }
        true
    }

    suspend fun others() {
        val prices = locker.withLock(LockRequest.of("prices").mode(LockMode.PROTECTED_READ)) { accounts.prices() }
        locker.withLocks(listOf("account:42", "account:7"), 1.minutes) { accounts.transfer(42, 7, 100) }
        val done = locker.withLocksOrNull(listOf("account:42", "account:7")) { locks -> locks.isHeld } ?: false
    }
}

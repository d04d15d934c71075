package io.github.cassandralock.it

import io.github.cassandralock.DistributedLock
import java.util.UUID

@JvmInline
value class AccountId(val value: Long)

@JvmInline
value class Iban(val text: String)

@JvmInline
value class Nested(val id: AccountId)

data class Transfer(val id: UUID, val amount: Long)

/** Each key in the forms in which the compiler passes a value class: as its component, and as an object. */
open class KotlinAccounts {

    @DistributedLock(key = "'account:' + #id")
    open fun byId(id: AccountId, work: Runnable) = work.run()

    @DistributedLock(key = "'account:' + #id")
    open fun byIdOrNull(id: AccountId?, work: Runnable) = work.run()

    @DistributedLock(key = "account:#{#id}")
    open fun byAny(id: Any, work: Runnable) = work.run()

    @DistributedLock(key = "T(String).format('account:%s', #id)")
    open fun <T> byGeneric(id: T, work: Runnable) = work.run()

    @DistributedLock(key = "#ids.!['account:' + #this]")
    open fun byList(ids: List<AccountId>, work: Runnable) = work.run()

    @DistributedLock(key = "'account:' + #id")
    open fun byNested(id: Nested?, work: Runnable) = work.run()

    @DistributedLock(key = "'account:' + #iban")
    open fun byIban(iban: Iban, work: Runnable) = work.run()

    @DistributedLock(key = "'account:' + #id.value")
    open fun byProperty(id: AccountId, work: Runnable) = work.run()

    @DistributedLock(key = "'transfer:' + #transfer")
    open fun byTransfer(transfer: Transfer) {}
}

class FinalAccounts {
    @DistributedLock(key = "'k'")
    fun touch() {}
}

interface Touching {
    @DistributedLock(key = "'k'")
    fun touch(work: Runnable)
}

class FinalBehindAnInterface : Touching {
    override fun touch(work: Runnable) = work.run()
}

fun interface AccountHandler {
    @DistributedLock(key = "'account:' + #id")
    fun handle(id: Long, work: Runnable)
}

open class AccountsWithFinalMethod {
    @DistributedLock(key = "'k'")
    fun touch() {}
}

/** Java cannot name methods whose parameters are value classes. */
object KotlinCalls {

    @JvmStatic
    fun all(accounts: KotlinAccounts, id: Long): Map<String, (Runnable) -> Unit> = mapOf(
        "byId" to { work -> accounts.byId(AccountId(id), work) },
        "byIdOrNull" to { work -> accounts.byIdOrNull(AccountId(id), work) },
        "byAny" to { work -> accounts.byAny(AccountId(id), work) },
        "byGeneric" to { work -> accounts.byGeneric(AccountId(id), work) },
        "byList" to { work -> accounts.byList(listOf(AccountId(id)), work) },
        "byNested" to { work -> accounts.byNested(Nested(AccountId(id)), work) },
        "byIban" to { work -> accounts.byIban(Iban(id.toString()), work) },
    )

    @JvmStatic
    fun handler() = AccountHandler { _, work -> work.run() }

    @JvmStatic
    fun withoutId(accounts: KotlinAccounts) = accounts.byIdOrNull(null) {}

    @JvmStatic
    fun byProperty(accounts: KotlinAccounts) = accounts.byProperty(AccountId(42)) {}

    @JvmStatic
    fun byTransfer(accounts: KotlinAccounts) = accounts.byTransfer(Transfer(UUID.randomUUID(), 5))
}

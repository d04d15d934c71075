package io.github.cassandralock.sample;

import io.github.cassandralock.DistributedLock;
import org.springframework.stereotype.Service;

/** Moves money. Of two withdrawals that together exceed the balance, one is refused, on whatever instances they run. */
@Service
class Bank {

    private final Accounts accounts;

    Bank(Accounts accounts) {
        this.accounts = accounts;
    }

    @DistributedLock(key = "'account:' + #id")
    public Account deposit(String id, long amount) {
        return accounts.save(
                accounts.find(id).orElseGet(() -> Account.opened(id)).plus(amount));
    }

    @DistributedLock(key = "'account:' + #id")
    public Account withdraw(String id, long amount) {
        return accounts.save(account(id).minus(amount));
    }

    public Account account(String id) {
        return accounts.find(id).orElseThrow(() -> new UnknownAccountException(id));
    }
}

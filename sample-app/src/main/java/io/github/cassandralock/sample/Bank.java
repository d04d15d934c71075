package io.github.cassandralock.sample;

import io.github.cassandralock.DistributedLock;
import org.springframework.stereotype.Service;

/**
 * Pays in and out. Reads a balance, decides, writes a balance: only the lock makes one step of it. The strategy is the default one: each
 * call does work of its own, so it waits for the lock, but not for longer than its caller would.
 */
@Service
class Bank {

    private final Accounts accounts;

    Bank(Accounts accounts) {
        this.accounts = accounts;
    }

    /** Opens the account if there is none. */
    @DistributedLock(key = "'account:' + #id", timeout = "${bank.lock-timeout}")
    public Account deposit(String id, Amount amount) {
        Account filled = accounts.find(id).orElse(Account.unopened(id)).deposit(amount);
        accounts.save(filled);
        return filled;
    }

    /**
     * Takes from the account.
     *
     * @throws UnknownAccountException if there is none
     * @throws InsufficientFundsException if the balance is less than the amount
     */
    @DistributedLock(key = "'account:' + #id", timeout = "${bank.lock-timeout}")
    public Account withdraw(String id, Amount amount) {
        Account rest = accounts.get(id).withdraw(amount);
        accounts.save(rest);
        return rest;
    }

    /**
     * Looks without a lock: a balance is one value, read whole.
     *
     * @throws UnknownAccountException if there is none
     */
    public Account account(String id) {
        return accounts.get(id);
    }
}

package io.github.cassandralock.sample;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * An account as it is or is to be stored.
 *
 * @param version grows by one with every change; zero before the first
 */
record Account(String id, long balance, @JsonIgnore long version) {

    static Account unopened(String id) {
        return new Account(id, 0, 0);
    }

    Account deposit(Amount amount) {
        return new Account(id, Math.addExact(balance, amount.units()), version + 1);
    }

    /** @throws InsufficientFundsException if the balance is less than the amount */
    Account withdraw(Amount amount) {
        if (balance < amount.units()) {
            throw new InsufficientFundsException(this, amount);
        }
        return new Account(id, balance - amount.units(), version + 1);
    }
}

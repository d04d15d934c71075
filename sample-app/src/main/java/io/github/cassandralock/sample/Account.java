package io.github.cassandralock.sample;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * An account as it is stored.
 *
 * @param balance in whole units of money
 * @param version grows with every write
 */
record Account(String id, long balance, @JsonIgnore long version) {

    static Account opened(String id) {
        return new Account(id, 0, 0);
    }

    Account plus(long amount) {
        return new Account(id, Math.addExact(balance, amount), version + 1);
    }

    Account minus(long amount) {
        if (amount > balance) {
            throw new InsufficientFundsException(id, balance, amount);
        }
        return new Account(id, balance - amount, version + 1);
    }
}

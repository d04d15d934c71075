package io.github.cassandralock.sample;

/** An account does not hold what was to be taken from it. */
class InsufficientFundsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InsufficientFundsException(String id, long balance, long amount) {
        super("Account " + id + " holds " + balance + ", which is less than " + amount);
    }
}

package io.github.cassandralock.sample;

/** An amount of money that cannot be moved. */
class IllegalAmountException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    IllegalAmountException(long amount) {
        super("The amount " + amount + " is not more than zero");
    }
}

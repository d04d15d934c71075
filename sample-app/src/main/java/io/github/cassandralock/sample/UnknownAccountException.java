package io.github.cassandralock.sample;

/** No deposit was ever made to the account. */
class UnknownAccountException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownAccountException(String id) {
        super("There is no account " + id + "; open it with a deposit");
    }
}

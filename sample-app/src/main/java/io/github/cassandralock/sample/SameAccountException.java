package io.github.cassandralock.sample;

/** A transfer names one account twice. */
final class SameAccountException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SameAccountException(String id) {
        super("A transfer needs two accounts, and '" + id + "' is both of them.");
    }
}

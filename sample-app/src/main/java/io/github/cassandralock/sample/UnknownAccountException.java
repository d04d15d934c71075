package io.github.cassandralock.sample;

/** This account has not been opened yet. */
final class UnknownAccountException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownAccountException(String id) {
        super("There is no account '" + id + "'. A deposit opens it.");
    }
}

package io.github.cassandralock.internal.seeded;

/** A class has no such method, or the method no such statement, or there are several. */
final class NoPlaceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoPlaceException(String message) {
        super(message);
    }
}

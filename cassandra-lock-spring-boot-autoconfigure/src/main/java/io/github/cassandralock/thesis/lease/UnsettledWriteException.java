package io.github.cassandralock.thesis.lease;

/** A write was refused, or its outcome is unknown: it must be repeated or undone. The cause is the store's. */
public final class UnsettledWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnsettledWriteException(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}

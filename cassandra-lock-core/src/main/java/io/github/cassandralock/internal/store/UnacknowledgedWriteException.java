package io.github.cassandralock.internal.store;

/** No quorum acknowledged a write. It was refused, or it may have been applied, may be applied later, or never. */
public final class UnacknowledgedWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnacknowledgedWriteException(String what, Throwable cause) {
        super(what + ": " + cause.getMessage(), cause);
    }
}

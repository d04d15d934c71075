package io.github.cassandralock.ticket;

/** No quorum acknowledged a write to a lock's partition: it may have been made, may be made later, or never. */
final class UnacknowledgedWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnacknowledgedWriteException(Throwable cause) {
        super("no quorum acknowledged the write to the lock's slot: " + cause.getMessage(), cause);
    }
}

package io.github.cassandralock.local;

/** A local node could not be started, stopped or reached. The message states which node, the reason, and what to do or read. */
public class LocalCassandraException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public LocalCassandraException(String message) {
        super(message);
    }

    public LocalCassandraException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Restores the interrupt flag, which the caller's wait has cleared. */
    static LocalCassandraException interrupted(String during, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new LocalCassandraException("Interrupted while " + during, cause);
    }
}

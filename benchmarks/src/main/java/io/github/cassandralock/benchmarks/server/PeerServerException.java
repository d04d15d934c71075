package io.github.cassandralock.benchmarks.server;

/** A peer's server could not be started. The message says which, why, and what to do or read. */
public class PeerServerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PeerServerException(String message) {
        super(message);
    }

    public PeerServerException(String message, Throwable cause) {
        super(message, cause);
    }
}

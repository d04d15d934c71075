package io.github.cassandralock.exactlyonce.queue;

/**
 * The store has not said whether it has written an anonymous message, and the cell was used again before it could be asked, so that
 * nobody can say whether the message was there. Producers with a stable name never get this.
 */
public class OvertakenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Tells what happened.
     *
     * @param message which message, which queue, and what to do
     */
    public OvertakenException(String message) {
        super(message);
    }
}

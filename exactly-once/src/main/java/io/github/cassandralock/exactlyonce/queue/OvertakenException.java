package io.github.cassandralock.exactlyonce.queue;

/**
 * The cell of a message was used again before it was known whether the message had been written, so that nobody can say whether it was
 * there: the queue keeps nothing of anonymous producers, and has forgotten a producer with a name if many others have pushed since.
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

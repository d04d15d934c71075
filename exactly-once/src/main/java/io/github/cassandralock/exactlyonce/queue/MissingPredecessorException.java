package io.github.cassandralock.exactlyonce.queue;

/**
 * A message was to be pushed at an index, but there is none at the index before. Nothing was written, because consumers would never
 * pass the hole.
 */
public class MissingPredecessorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which message, which queue, and what to do
     */
    public MissingPredecessorException(String message) {
        super(message);
    }
}

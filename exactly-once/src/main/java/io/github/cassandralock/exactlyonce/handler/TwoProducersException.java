package io.github.cassandralock.exactlyonce.handler;

/** A queue that should have one producer has another one, too. */
public class TwoProducersException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Tells what happened.
     *
     * @param message which queue, which handler, and what to do
     */
    public TwoProducersException(String message) {
        super(message);
    }
}

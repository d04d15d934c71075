package io.github.cassandralock.exactlyonce.queue;

/** A queue that should have one producer has a message of another producer, or of an earlier push whose outcome was unknown. */
public class TwoProducersException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which queue, which producer, and what to do
     */
    public TwoProducersException(String message) {
        super(message);
    }
}

package io.github.cassandralock.exactlyonce.queue;

/** A consumer is not registered at a queue, so the queue may clean cells that it has not read. */
public class UnknownConsumerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which consumer, which queue, and what to do
     */
    public UnknownConsumerException(String message) {
        super(message);
    }
}

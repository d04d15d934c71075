package io.github.cassandralock.exactlyonce.queue;

/**
 * A consumer was removed from a queue by {@link MessageQueue#removeConsumer}. Its copies end with this when they register, tell how
 * far they are, or find that a message is gone. Permanent: a consumer that was removed never comes back.
 */
public class ConsumerRemovedException extends UnknownConsumerException {

    private static final long serialVersionUID = 1L;

    /**
     * Tells what happened.
     *
     * @param message which consumer, which queue, and what to do
     */
    public ConsumerRemovedException(String message) {
        super(message);
    }
}

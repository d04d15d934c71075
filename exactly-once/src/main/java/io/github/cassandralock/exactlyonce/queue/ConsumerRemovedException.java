package io.github.cassandralock.exactlyonce.queue;

/**
 * {@link MessageQueue#removeConsumer} has removed a consumer from a queue. Its copies end with this exception when they register,
 * report their progress, or find that a message is gone. Permanent: a removed consumer never comes back.
 */
public class ConsumerRemovedException extends UnknownConsumerException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which consumer, which queue, and what to do
     */
    public ConsumerRemovedException(String message) {
        super(message);
    }
}

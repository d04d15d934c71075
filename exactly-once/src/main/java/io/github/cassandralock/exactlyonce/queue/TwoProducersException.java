package io.github.cassandralock.exactlyonce.queue;

/** A queue for one producer has a message of another producer, or of an earlier push with unknown outcome. */
public class TwoProducersException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which queue, which producer, and what to do
     */
    public TwoProducersException(String message) {
        super(message);
    }

    /**
     * The exclusive output of a handler has a message of another producer.
     *
     * @param handler the name of the handler
     * @param queue the name of the queue
     * @param index of the message
     */
    public static TwoProducersException ofHandler(String handler, String queue, long index) {
        return new TwoProducersException("Queue " + queue + " has another message at index " + index
                + ", though handler " + handler
                + " is configured as its only producer. Another producer pushes to it, or did before, such as this"
                + " handler under another name. Make the output of both an ordinary one; to give each its own queue, do"
                + " that first, until this handler has nothing to do");
    }
}

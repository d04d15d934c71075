package io.github.cassandralock.exactlyonce.queue;

/**
 * It is unknown whether a message was written. Its cell was used again while the outcome of the write was unknown. The queue
 * keeps nothing of anonymous producers. It has forgotten a producer with a name if many others have pushed since.
 */
public class OvertakenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which message, which queue, and what to do
     */
    public OvertakenException(String message) {
        super(message);
    }

    static OvertakenException ofAnonymous(MessageId id, String queue, long index) {
        return new OvertakenException("It is unknown whether " + id + " was pushed to queue " + queue
                + ". Its cell, at index " + index
                + ", was used again while the push waited for its answer. The queue keeps nothing of anonymous producers."
                + " Look at the effect of the message before you push it again. A handler as the producer never gets into"
                + " this situation");
    }

    static OvertakenException ofForgotten(MessageId id, String queue, long index, int mostProducers) {
        return new OvertakenException("It is unknown whether " + id
                + " was pushed to queue " + queue + ". Its cell, at index " + index
                + ", was used again. The queue has forgotten producer " + id.producer()
                + ", since " + mostProducers
                + " others have pushed after it. Look at the effect of the message, and begin again under a new name");
    }
}

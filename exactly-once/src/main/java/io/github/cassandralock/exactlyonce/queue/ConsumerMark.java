package io.github.cassandralock.exactlyonce.queue;

/**
 * The progress of a consumer that one of its copies has reported to a queue. It comes from committed states only. Used by one
 * thread. Methods do I/O and block as {@link MessageQueue#raiseMark} does.
 */
public final class ConsumerMark {

    /** How often a consumer that has nothing to do calls between two checks of the queue. */
    private static final int CALLS_BETWEEN_CHECKS = 32;

    private final MessageQueue queue;
    private final String consumer;

    /** The index of the last report; 0 at first, the index of a consumer that has taken nothing. */
    private long told;

    /** Whether that report left nothing to be done. */
    private boolean complete;

    /** How often nothing was new. */
    private long unchanged;

    /**
     * The mark of a copy that has reported nothing yet. Does no I/O.
     *
     * @param queue that the consumer takes
     * @param consumer its name
     */
    public ConsumerMark(MessageQueue queue, String consumer) {
        this.queue = queue;
        this.consumer = consumer;
    }

    /**
     * Raises the mark if the consumer has taken many messages since the last report. A busy consumer calls this, so that producers
     * to a ring need not wait until it is idle.
     *
     * @param committed the input index of a committed state of the consumer
     * @throws UnknownConsumerException if the consumer is not registered; {@link ConsumerRemovedException} if it was removed
     * @throws InterruptedException if the thread was interrupted
     */
    public void raiseIfFarBehind(long committed) throws InterruptedException {
        if (committed - told >= queue.getLayout().getIndexesBetweenMarks()) {
            raise(committed);
        }
    }

    /**
     * Raises the mark unless the queue has this index, and nothing is left to be done. For a consumer that has nothing else to do.
     * One call of several checks that the queue has the message which the consumer took last. Otherwise a consumer that runs would
     * wait for ever beside a queue whose store was emptied or restored.
     *
     * @param committed the input index of a state of the consumer that is committed
     * @throws MismatchedStoresException if the queue has forgotten the message before that index
     * @throws InterruptedException if the thread was interrupted
     */
    public void raiseIfHigher(long committed) throws InterruptedException {
        if (!complete || committed != told) {
            raise(committed);
            return;
        }
        unchanged++;
        if (unchanged % CALLS_BETWEEN_CHECKS == 0) {
            queue.requireReached(consumer, committed);
        }
    }

    /**
     * Raises the mark in any case.
     *
     * @param committed the input index of a committed state of the consumer
     * @throws UnknownConsumerException if the consumer is not registered; {@link ConsumerRemovedException} if it was removed
     * @throws InterruptedException if the thread was interrupted
     */
    public void raise(long committed) throws InterruptedException {
        complete = queue.raiseMark(consumer, committed);
        told = committed;
    }
}

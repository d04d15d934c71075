package io.github.cassandralock.exactlyonce.queue;

/**
 * What one copy of a consumer has told a queue: how far the consumer is, by committed states only. Used by one thread; methods block
 * and do I/O as {@link MessageQueue#raiseMark} does.
 */
public final class ConsumerMark {

    /** How often a consumer that has nothing to do calls between two checks of the queue. */
    private static final int CALLS_BETWEEN_CHECKS = 32;

    private final MessageQueue queue;
    private final String consumer;

    /** The index that was told last; at first that of a consumer that has taken nothing. */
    private long told;

    /** Whether nothing was left to be done when it was told. */
    private boolean complete;

    /** How often nothing was new. */
    private long unchanged;

    /**
     * The mark of a copy that has told nothing yet. Does no I/O.
     *
     * @param queue that the consumer takes
     * @param consumer its name
     */
    public ConsumerMark(MessageQueue queue, String consumer) {
        this.queue = queue;
        this.consumer = consumer;
    }

    /**
     * Raises the mark if the consumer has taken much since. For one that always has something to do, so that producers to a ring
     * need not wait for it to be idle.
     *
     * @param committed the input index of a state of the consumer that is committed
     * @throws InterruptedException if the thread was interrupted
     */
    public void raiseIfFarBehind(long committed) throws InterruptedException {
        if (committed - told >= queue.layout().indexesBetweenMarks()) {
            raise(committed);
        }
    }

    /**
     * Raises the mark unless the queue has this index, and nothing is left to be done. For a consumer that has nothing else to do. One
     * call of several checks that the queue has the message which the consumer took last. Otherwise a consumer that runs would wait for
     * ever beside a queue whose store was emptied or restored.
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
     * Raises the mark, which the queue refuses if the consumer is not registered.
     *
     * @param committed the input index of a state of the consumer that is committed
     * @throws UnknownConsumerException if the consumer is not registered; {@link ConsumerRemovedException} if it was removed
     * @throws InterruptedException if the thread was interrupted
     */
    public void raise(long committed) throws InterruptedException {
        complete = queue.raiseMark(consumer, committed);
        told = committed;
    }
}

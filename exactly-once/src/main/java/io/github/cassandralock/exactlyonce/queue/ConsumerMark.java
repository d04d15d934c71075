package io.github.cassandralock.exactlyonce.queue;

/**
 * What one copy of a consumer has told a queue: how far the consumer is, by committed states only. Used by one thread; methods block
 * and do I/O as {@link MessageQueue#raiseMark} does.
 */
public final class ConsumerMark {

    private final MessageQueue queue;
    private final String consumer;

    /** The index that was told last; at first that of a consumer that has taken nothing. */
    private long told;

    /** Whether nothing was left to be done when it was told. */
    private boolean complete;

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
     * Raises the mark unless the queue knows this index, and nothing is left to be done. For a consumer that has nothing else to do.
     *
     * @param committed the input index of a state of the consumer that is committed
     * @throws InterruptedException if the thread was interrupted
     */
    public void raiseIfHigher(long committed) throws InterruptedException {
        if (!complete || committed != told) {
            raise(committed);
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

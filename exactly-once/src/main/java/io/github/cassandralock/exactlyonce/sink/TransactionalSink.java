package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.queue.Message;
import java.util.Optional;

/**
 * The port to a store in which the effect of a message and the index of the queue change in one local transaction
 * (docs/exactly-once.md, section 4). One sink takes one queue. Implementations are thread-safe; every method blocks, for a
 * bounded time, and may be interrupted.
 */
public interface TransactionalSink {

    /**
     * Which queue the position counts.
     *
     * @return the origin; {@link SinkOrigin#ofOlderVersion} if the position has none; empty if there is no position
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer: transient
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the store refuses for good
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<SinkOrigin> origin() throws InterruptedException;

    /**
     * Makes the first position, with its origin. If there is a position, only gives it the origin, and only if it has none. Called
     * again, it changes nothing.
     *
     * @param origin of the position
     * @param first where a sink begins that has taken nothing
     * @throws io.github.cassandralock.exactlyonce.register.UnknownOutcomeException if it is not known whether that was done
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer: transient
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the store refuses for good
     * @throws InterruptedException if the thread was interrupted: it may have been done
     */
    void begin(SinkOrigin origin, SinkPosition first) throws InterruptedException;

    /**
     * The position of the sink, read outside of any transaction; perhaps an old one. There is one, since {@link #begin} was called.
     *
     * @return a position that was committed once
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer: transient
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the store refuses for good, or the position was
     *     deleted
     * @throws InterruptedException if the thread was interrupted
     */
    SinkPosition position() throws InterruptedException;

    /**
     * In one local transaction: moves the position from {@code from} to {@code to} if its index is {@code from.index()}, then makes
     * the effect of the message. If the index is another one, nothing is changed. The update of the index is the first
     * statement: it takes the row's lock, so that of copies at the same index one waits, and then finds another index.
     *
     * @param from the position that was read
     * @param message the message at index {@code from.index()}
     * @param to the position after it; {@code to.index()} is {@code from.index() + 1}
     * @return true if this call has committed; false if the position had another index, so that nothing was done
     * @throws io.github.cassandralock.exactlyonce.register.UnknownOutcomeException if it is not known whether the transaction was
     *     committed: the caller reads the position again
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if it was certainly not committed: transient
     *     (rolled back, lock not available in time, serialization failure, no connection)
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the store refuses for good
     * @throws InterruptedException if the thread was interrupted: the transaction may have been committed
     */
    boolean take(SinkPosition from, Message message, SinkPosition to) throws InterruptedException;
}

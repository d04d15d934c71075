package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.queue.Message;
import java.util.Optional;

/**
 * The port to a store that changes a message's effect and the queue's index in one transaction (docs/exactly-once.md, section 4).
 * One sink takes one queue. Implementations are thread-safe. Every method blocks for a bounded time and can be interrupted.
 */
public interface TransactionalSink {

    /**
     * Reads which queue the position counts.
     *
     * @return the origin; {@link SinkOrigin#ofOlderVersion} if the position has none; empty if there is no position
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer; another call
     *     may succeed
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the store refuses permanently
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<SinkOrigin> readOrigin() throws InterruptedException;

    /**
     * Makes the first position, with its origin. An existing position only gets the origin, and only if it has none. A repetition
     * changes nothing.
     *
     * @param origin of the position
     * @param first where a sink begins that has taken nothing
     * @throws io.github.cassandralock.exactlyonce.register.UnknownOutcomeException if it is unknown whether that was done
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer; another call
     *     may succeed
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the store refuses permanently
     * @throws InterruptedException if the thread was interrupted: it may have been done
     */
    void begin(SinkOrigin origin, SinkPosition first) throws InterruptedException;

    /**
     * Reads the position of the sink outside of any transaction; perhaps an old one. It exists, since {@link #begin} was called.
     *
     * @return a position that was committed once
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer; another call
     *     may succeed
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the store refuses permanently, or the
     *     position was deleted
     * @throws InterruptedException if the thread was interrupted
     */
    SinkPosition readPosition() throws InterruptedException;

    /**
     * Moves the position from {@code from} to {@code to} if its index is {@code from.index()}, and makes the effect, in one local
     * transaction. If the position has another index, nothing is changed. The update of the index is the first statement and locks
     * the row. Of two copies at one index, the second waits, and then finds another index.
     *
     * @param from the position that was read
     * @param message the message at index {@code from.index()}
     * @param to the position after it; {@code to.index()} is {@code from.index() + 1}
     * @return true if this call has committed; false if the position had another index, so that nothing was done
     * @throws io.github.cassandralock.exactlyonce.register.UnknownOutcomeException if it is unknown whether the transaction was
     *     committed: the caller reads the position again
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if it was certainly not committed (rolled
     *     back, lock not available in time, serialization failure, no connection, failed effect); another call may succeed
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the store refuses permanently
     * @throws InterruptedException if the thread was interrupted: the transaction may have been committed
     */
    boolean take(SinkPosition from, Message message, SinkPosition to) throws InterruptedException;
}

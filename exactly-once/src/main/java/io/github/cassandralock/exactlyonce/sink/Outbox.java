package io.github.cassandralock.exactlyonce.sink;

import java.util.List;
import java.util.Optional;

/**
 * The port to rows that local transactions have written, numbered 0, 1, 2, … without a gap. A counter in the row of the sink's
 * index numbers them, because a sequence of the database has gaps. A row never changes. Implementations are thread-safe. Methods
 * block for a bounded time and can be interrupted. {@code toString} names the outbox in messages to operators, such as "outbox of
 * sink 'deposits'".
 */
public interface Outbox {

    /**
     * Reads a row.
     *
     * @param number of the row
     * @return its payloads; empty if there is no such row yet, as far as this read shows
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer; another call
     *     may succeed
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<List<byte[]>> readRow(long number) throws InterruptedException;

    /**
     * Reads the state of the outbox.
     *
     * @return how many rows it has had, and their target; empty if no sink has begun to write it
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer; another call
     *     may succeed
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<OutboxOrigin> readOrigin() throws InterruptedException;

    /**
     * Stores the target of the rows, unless one is stored already. A repetition changes nothing.
     *
     * @param target of all rows; it never changes
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer; another call
     *     may succeed
     * @throws io.github.cassandralock.exactlyonce.register.UnknownOutcomeException if it is unknown whether the target is stored
     * @throws InterruptedException if the thread was interrupted: the target may be stored
     */
    void sendTo(OutboxTarget target) throws InterruptedException;
}

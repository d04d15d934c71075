package io.github.cassandralock.exactlyonce.sink;

import java.util.List;
import java.util.Optional;

/**
 * The port to rows that local transactions have written, numbered 0, 1, 2, … without a gap: by a counter in the same row as the
 * sink's index, not by a sequence of the database, which has gaps. A row never changes. Implementations are thread-safe; they
 * block for a bounded time and may be interrupted. Messages to operators name an outbox by its {@code toString}, such as "outbox of sink
 * 'deposits'".
 */
public interface Outbox {

    /**
     * A row.
     *
     * @param number of the row
     * @return its payloads; empty if there is no such row yet, as far as this read shows
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer: transient
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<List<byte[]>> row(long number) throws InterruptedException;

    /**
     * What the outbox says about itself.
     *
     * @return how many rows it has had, and where they go; empty if no sink has begun to write it
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer: transient
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<OutboxOrigin> origin() throws InterruptedException;

    /**
     * Keeps where the rows go, unless that is kept already. Called again, it changes nothing.
     *
     * @param target where they go, for ever
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the store does not answer: transient
     * @throws io.github.cassandralock.exactlyonce.register.UnknownOutcomeException if it is not known whether it is kept
     * @throws InterruptedException if the thread was interrupted: it may be kept
     */
    void sendTo(OutboxTarget target) throws InterruptedException;
}

package io.github.cassandralock.spi;

import java.util.concurrent.CompletionStage;

/** A lock that an algorithm has granted, with its lease. No method blocks. Thread-safe. */
public interface Grant {

    /**
     * Whether the lease lasts at this instant, by this process's monotonic clock.
     *
     * @return once false, never true again
     */
    boolean isValid();

    /**
     * Tells the loss of the lease.
     *
     * @return completes with the reason when the lease is lost; never, if the grant is released in time
     */
    CompletionStage<String> lost();

    /**
     * A number above that of every exclusive holder before.
     *
     * @return completes with the token; exceptionally if the store fails
     * @throws UnsupportedOperationException if the algorithm has no tokens; the message names one that has
     */
    CompletionStage<Long> fencingToken();

    /**
     * Ends the lease early, although it could last: for a holder that is to stop, as at shutdown. {@link #isValid()} is
     * false from now on.
     *
     * @param reason completes {@link #lost()}
     */
    void abandon(String reason);

    /**
     * Ends the renewals and frees the lock. Idempotent.
     *
     * @return completes, never exceptionally, once the release is acknowledged, or is left to the background
     */
    CompletionStage<Void> release();
}

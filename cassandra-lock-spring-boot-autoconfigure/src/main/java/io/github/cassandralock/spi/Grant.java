package io.github.cassandralock.spi;

import java.util.concurrent.CompletionStage;

/** A lock that an algorithm has granted, and its lease. Thread-safe. */
public interface Grant {

    /** Whether the lease can be vouched for at this instant, by the local monotonic clock. Never true again once false. */
    boolean isValid();

    /** Completes with the reason when the lease is lost. Never completes if it is released in time. */
    CompletionStage<String> lost();

    /**
     * Completes with a number above that of every exclusive holder before.
     *
     * @throws UnsupportedOperationException if the algorithm cannot vouch for one; the message names one that can
     */
    CompletionStage<Long> fencingToken();

    /**
     * Declares the lease lost although it might last: for a holder that is to stop, as at shutdown.
     *
     * @param reason completes {@link #lost()}
     */
    void abandon(String reason);

    /**
     * Ends renewals and frees the lock. Completes, never exceptionally, once the release is acknowledged or handed to
     * the background. Idempotent.
     */
    CompletionStage<Void> release();
}

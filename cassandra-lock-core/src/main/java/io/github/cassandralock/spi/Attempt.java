package io.github.cassandralock.spi;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One attempt to take a lock, from its beginning to its end. No method blocks. Thread-safe. */
public interface Attempt {

    /**
     * Returns the result of the attempt. The writes of an attempt without a grant block others for a bounded time after its end.
     * The bound is the time that frees the lock of a crashed holder.
     *
     * @return completes with the grant, or with empty if an attempt that tries found the lock taken. Completes exceptionally with
     *        the store's exception if the store failed for too long. Completes with a {@link
     *        java.util.concurrent.CancellationException} after {@link #giveUp()}
     */
    CompletionStage<Optional<Grant>> getOutcome();

    /**
     * Reports that the attempt may have to wait for another holder or waiter. A call for several locks requests some of them at the
     * same time. It gives up the later ones when an earlier one has to wait.
     *
     * @return completes before the attempt waits for others without a limit. By default it is complete. Then a call for several
     *     locks takes them one after the other
     */
    default CompletionStage<Void> getWait() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Returns why the lock has not been granted yet. The message of a time-out contains it.
     *
     * @return empty if the reason is unknown
     */
    default Optional<Obstacle> getObstacle() {
        return Optional.empty();
    }

    /**
     * Leaves the queue. The outcome then completes exceptionally with a {@link java.util.concurrent.CancellationException}.
     * If the lock has been granted already, the outcome completes with that grant, and the caller must release it.
     */
    void giveUp();
}

package io.github.cassandralock.spi;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One acquisition that has begun and may still be waiting. No method blocks. Thread-safe. */
public interface Attempt {

    /**
     * The end of the attempt. If it ends without a grant, nothing that the attempt has written blocks others for longer
     * than a lease.
     *
     * @return completes with the grant; with empty if {@link LockAlgorithm#tryAcquire} found the lock taken;
     *     exceptionally with the store's own exception if the store failed for too long; exceptionally with a
     *     {@link java.util.concurrent.CancellationException} after {@link #giveUp()}
     */
    CompletionStage<Optional<Grant>> outcome();

    /**
     * What keeps the attempt from its grant now. The locker puts it into the message of a time-out.
     *
     * @return empty if it is not known
     */
    default Optional<Obstacle> obstacle() {
        return Optional.empty();
    }

    /**
     * Leaves the queue. The outcome then completes exceptionally with a
     * {@link java.util.concurrent.CancellationException}, unless a grant had been decided already: the caller must
     * release that grant.
     */
    void giveUp();
}

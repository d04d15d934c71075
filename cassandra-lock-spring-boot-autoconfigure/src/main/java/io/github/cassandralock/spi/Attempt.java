package io.github.cassandralock.spi;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One acquisition on its way. Thread-safe. */
public interface Attempt {

    /**
     * Completes with the grant; with empty if a soft attempt was refused; exceptionally with the store's own exception
     * if the store failed for too long. After any end but a grant, nothing of the attempt blocks others for longer than
     * a lease.
     */
    CompletionStage<Optional<Grant>> outcome();

    /** What keeps it from its grant at this instant, if that is known. */
    default Optional<Obstacle> obstacle() {
        return Optional.empty();
    }

    /**
     * Leaves the queue. The outcome then completes exceptionally with a {@code CancellationException}, unless a grant
     * had been decided already: that grant is the caller's to release.
     */
    void giveUp();
}

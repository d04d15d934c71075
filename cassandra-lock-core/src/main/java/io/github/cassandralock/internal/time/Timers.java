package io.github.cassandralock.internal.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Waiting without a thread. Thread-safe. */
@FunctionalInterface
public interface Timers {

    /**
     * A future that completes after the delay, on a thread that must not be blocked. Completing or cancelling it
     * earlier is allowed and drops the timer. If timers are shut down it completes exceptionally.
     */
    CompletableFuture<Void> after(Duration delay);
}

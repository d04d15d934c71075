package io.github.cassandralock.internal.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Delays actions without a waiting thread. Thread-safe. */
@FunctionalInterface
public interface Timers {

    /**
     * Returns a future that completes after the delay, on a thread that must not be blocked. The caller may complete or cancel
     * it earlier, which removes the timer. If the timers are shut down, it completes exceptionally.
     */
    CompletableFuture<Void> after(Duration delay);

    /** Returns the clock by which the timers end. */
    default Ticker ticker() {
        return Ticker.system();
    }

    /** Whether the calling thread is one on which timers end. No code may wait there. */
    default boolean areOnThisThread() {
        return false;
    }

    /** Calls {@link #after(Duration)}. If the timer cannot be started, the returned future has failed. */
    default CompletableFuture<Void> afterOrFailed(Duration delay) {
        try {
            return after(delay);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}

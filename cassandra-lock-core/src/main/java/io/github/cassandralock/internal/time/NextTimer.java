package io.github.cassandralock.internal.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The next timer of something that is repeated until it is closed. Thread-safe; never blocks. */
public final class NextTimer {

    private final Timers timers;
    private volatile CompletableFuture<Void> present = CompletableFuture.completedFuture(null);
    private volatile boolean closed;

    public NextTimer(Timers timers) {
        this.timers = timers;
    }

    /** Starts a timer. If it cannot be started, the returned future has failed. After {@link #close()} it is cancelled. */
    public CompletableFuture<Void> after(Duration delay) {
        CompletableFuture<Void> timer = timers.afterOrFailed(delay);
        present = timer;
        if (closed) {
            timer.cancel(false);
        }
        return timer;
    }

    /** Cancels the timer that is under way, and all later ones. */
    public void close() {
        closed = true;
        present.cancel(false);
    }

    public boolean isClosed() {
        return closed;
    }
}

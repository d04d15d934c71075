package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The longest time of a hold. The clock ends it, because the timer may be late. Therefore the locks of a group end in the order
 * in which their times began. A time that has passed never counts again. Thread-safe.
 */
final class LongestHold {

    private enum State {
        COUNTING,
        PASSED,
        REPLACED
    }

    private final Duration atMost;
    private final Ticker ticker;
    private final long until;
    private final CompletableFuture<Void> timer;
    private final AtomicReference<State> state = new AtomicReference<>(State.COUNTING);

    /** Begins now. */
    LongestHold(Duration atMost, Ticker ticker, Timers timers) {
        this.atMost = atMost;
        this.ticker = ticker;
        this.until = ticker.nanos() + atMost.toNanos();
        this.timer = timers.afterOrFailed(atMost);
    }

    /** Runs the action when the time has passed, unless it is replaced before. */
    void whenPassed(Runnable action) {
        timer.thenRun(() -> {
            if (end()) {
                action.run();
            }
        });
    }

    /** Ends the count if the time has passed. Returns whether it has. */
    boolean endIfPassed() {
        return state.get() == State.PASSED || (ticker.nanos() - until >= 0 && end());
    }

    private boolean end() {
        state.compareAndSet(State.COUNTING, State.PASSED);
        return state.get() == State.PASSED;
    }

    /** Returns false if the time has passed, or was replaced before. */
    boolean replace() {
        if (endIfPassed() || !state.compareAndSet(State.COUNTING, State.REPLACED)) {
            return false;
        }
        timer.cancel(false);
        return true;
    }

    /** The reason of the loss, for people. */
    LockLoss loss() {
        return new LockLoss(
                LockLoss.Reason.HELD_AT_MOST,
                "it was held for its longest time (holdAtMost) of " + DurationText.of(atMost)
                        + ", and its work had not ended");
    }
}

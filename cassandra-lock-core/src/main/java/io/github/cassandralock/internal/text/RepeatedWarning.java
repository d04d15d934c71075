package io.github.cassandralock.internal.text;

import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs warnings of one kind, of which thousands may come in a short time. The first one is logged as it is. Further ones within an
 * interval are counted, and one line at the end of the interval gives their number. Thread-safe; never blocks.
 */
public final class RepeatedWarning {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private sealed interface State {

        /** The next warning is logged as it is. */
        record Quiet() implements State {}

        /**
         * A warning or a number was logged in this interval, and more warnings have come since.
         *
         * @param untold how many have come since
         * @param latest the text of the last warning
         */
        record Counting(long untold, String latest) implements State {}
    }

    private static final State QUIET = new State.Quiet();

    private final Logger log;
    private final Timers timers;
    private final Duration interval;
    private final AtomicReference<State> state = new AtomicReference<>(QUIET);

    /** With intervals of ten seconds. */
    public RepeatedWarning(Logger log, Timers timers) {
        this(log, timers, INTERVAL);
    }

    /** @param timers end the intervals; if a timer fails, the number is logged at once */
    public RepeatedWarning(Logger log, Timers timers, Duration interval) {
        this.log = log;
        this.timers = timers;
        this.interval = interval;
    }

    /** Logs the warning, or counts it. */
    public void warn(String text) {
        warn(text, null);
    }

    /**
     * Logs the warning, or counts it.
     *
     * @param cause is logged with its stack trace if the warning is logged as it is
     */
    public void warn(String text, @Nullable Throwable cause) {
        State before = state.getAndUpdate(now -> now instanceof State.Counting counting
                ? new State.Counting(counting.untold() + 1, text)
                : new State.Counting(0, text));
        if (before instanceof State.Quiet) {
            log.warn(text, cause);
            sumUpLater();
        }
    }

    private void sumUpLater() {
        try {
            timers.after(interval).whenComplete((done, failure) -> sumUp(failure == null));
        } catch (RuntimeException | Error e) {
            sumUp(false);
        }
    }

    private void sumUp(boolean goOn) {
        State before = state.getAndUpdate(now -> now instanceof State.Counting counting && counting.untold() > 0 && goOn
                ? new State.Counting(0, counting.latest())
                : QUIET);
        if (before instanceof State.Counting counting && counting.untold() > 0) {
            log.warn(
                    "{} more warnings of this kind came within {}; the latest: {}",
                    counting.untold(),
                    DurationText.of(interval),
                    counting.latest());
            if (goOn) {
                sumUpLater();
            }
        }
    }
}

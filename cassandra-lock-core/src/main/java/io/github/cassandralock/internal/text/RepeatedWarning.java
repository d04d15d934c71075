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

    /**
     * A warning or a number was logged in this interval, and more warnings have come since.
     *
     * @param unreported how many have come since
     * @param latest the text of the last warning
     */
    private record Counting(long unreported, String latest) {}

    private final Logger log;
    private final Timers timers;
    private final Duration interval;

    /** Null if the next warning is logged as it is. */
    private final AtomicReference<@Nullable Counting> counting = new AtomicReference<>();

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
        Counting before = counting.getAndUpdate(now -> new Counting(now == null ? 0 : now.unreported() + 1, text));
        if (before == null) {
            try {
                log.warn(text, cause);
            } finally { // the cause may fail to describe itself
                sumUpLater();
            }
        }
    }

    private void sumUpLater() {
        timers.afterOrFailed(interval).whenComplete((done, failure) -> sumUp(failure == null));
    }

    private void sumUp(boolean continued) {
        Counting counted = counting.getAndUpdate(
                now -> now != null && now.unreported() > 0 && continued ? new Counting(0, now.latest()) : null);
        if (counted != null && counted.unreported() > 0) {
            log.warn(
                    "{} more warnings of this kind came within {}; the latest: {}",
                    counted.unreported(),
                    DurationText.of(interval),
                    counted.latest());
            if (continued) {
                sumUpLater();
            }
        }
    }
}

package io.github.cassandralock.internal.aop;

import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs that runs of one method are skipped: the first run, and then at most one line a minute. Thread-safe; never blocks. */
final class SkippedRuns {

    private static final Logger log = LoggerFactory.getLogger(SkippedRuns.class);
    private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

    /**
     * The last line.
     *
     * @param nanos when it was logged
     * @param since how many runs have been skipped since then
     */
    private record Line(long nanos, long since) {

        static Line next(@Nullable Line last, long now) {
            return last == null || last.isOver(now) ? new Line(now, 0) : new Line(last.nanos, last.since + 1);
        }

        boolean isOver(long now) {
            return now - nanos >= INTERVAL;
        }
    }

    private final Level level;
    private final Ticker ticker;
    private final AtomicReference<@Nullable Line> last = new AtomicReference<>();

    SkippedRuns(Level level, Ticker ticker) {
        this.level = level;
        this.ticker = ticker;
    }

    /** @param reason why this run is skipped */
    void add(String reason) {
        long now = ticker.nanos();
        Line before = last.getAndUpdate(known -> Line.next(known, now));
        if (before == null || (before.isOver(now) && before.since == 0)) {
            log.atLevel(level).log("{}", reason);
        } else if (before.isOver(now)) {
            log.atLevel(level).log("{}; {} more runs have been skipped since the last such line", reason, before.since);
        }
    }
}

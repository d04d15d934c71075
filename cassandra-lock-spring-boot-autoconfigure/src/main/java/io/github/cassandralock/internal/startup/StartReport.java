package io.github.cassandralock.internal.startup;

import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;

/**
 * Logs how a start in the background goes: the first failure, each failure with another reason, the same reason once a minute,
 * and the success after failures. For one thread.
 */
public final class StartReport {

    private static final Duration SAME_AGAIN = Duration.ofMinutes(1);

    private final Logger log;
    private final String what;
    private final Function<Throwable, String> explanation;
    private final Ticker ticker;
    private final long begunAt;
    private String lastReason = "";
    private long lastLoggedAt;

    /**
     * @param what what is started, as the beginning of a sentence
     * @param explanation says of a failure what happened and what to do
     */
    public StartReport(Logger log, String what, Function<Throwable, String> explanation, Ticker ticker) {
        this.log = log;
        this.what = what;
        this.explanation = explanation;
        this.ticker = ticker;
        this.begunAt = ticker.nanos();
    }

    void failed(Throwable why) {
        String reason = explanation.apply(why);
        long now = ticker.nanos();
        if (!reason.equals(lastReason) || now - lastLoggedAt >= SAME_AGAIN.toNanos()) {
            log.warn(
                    "{} could not be started: {} The application runs without it, and tries again every few seconds",
                    what,
                    reason);
            log.debug("{} could not be started", what, why);
            lastReason = reason;
            lastLoggedAt = now;
        }
    }

    void succeeded() {
        if (!lastReason.isEmpty()) {
            log.info("{} started after {}", what, DurationText.of(Duration.ofNanos(ticker.nanos() - begunAt)));
        }
    }
}

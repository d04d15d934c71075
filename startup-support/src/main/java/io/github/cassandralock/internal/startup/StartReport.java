package io.github.cassandralock.internal.startup;

import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;

/**
 * Logs one line for each change of a start in the background. A change is a failure with a new reason, a stage reached after
 * failures, or the success after failures. For one thread.
 */
public final class StartReport {

    private final Logger log;
    private final String what;
    private final Function<Throwable, String> explanation;
    private final long begunAt;
    private String lastReason = "";

    /**
     * @param what what is started, as the beginning of a sentence
     * @param explanation returns what happened and what to do after a failure; it may block
     */
    public StartReport(Logger log, String what, Function<Throwable, String> explanation) {
        this.log = log;
        this.what = what;
        this.explanation = explanation;
        this.begunAt = System.nanoTime();
    }

    /** Returns the reason, in sentences. Never throws, because the start has to go on. */
    String failed(Throwable why) {
        String reason = explained(why);
        if (!reason.equals(lastReason)) {
            log.warn(
                    "{} could not be started: {} The application runs without it, and tries again every few seconds",
                    what,
                    reason);
            log.debug("{} could not be started", what, why);
            lastReason = reason;
        }
        return reason;
    }

    private String explained(Throwable why) {
        try {
            return explanation.apply(why);
        } catch (RuntimeException | Error e) {
            why.addSuppressed(e);
            return why + ".";
        }
    }

    /** Logs the stage after failures only. */
    void reached(StartStage stage) {
        log.info("{} not started yet: {}", what, stage.text());
        lastReason = stage.text();
    }

    /** Logs the success after failures only. */
    void succeeded() {
        log.info(
                "{} started after {}",
                what,
                ExactDuration.text(Duration.ofMillis((System.nanoTime() - begunAt) / 1_000_000)));
    }
}

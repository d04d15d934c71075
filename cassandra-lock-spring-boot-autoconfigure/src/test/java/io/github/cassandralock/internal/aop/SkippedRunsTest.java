package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Catches a method that is skipped in silence, and a log that a skipped method fills. */
class SkippedRunsTest {

    private final SkipLog log = new SkipLog();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final SkippedRuns skipped = new SkippedRuns(Level.INFO, nanos::get);

    @AfterEach
    void close() {
        log.close();
    }

    private void skipEverySecond(int seconds) {
        for (int second = 0; second < seconds; second++) {
            skipped.add("run " + second);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        }
    }

    @Test
    void firstRunHasALineAtOnce() {
        skipped.add("Lock 'k' is taken");
        assertThat(log.lines()).containsExactly("[INFO] Lock 'k' is taken");
    }

    @Test
    void furtherRunsHaveOneLineAMinuteWithTheirNumber() {
        skipEverySecond(180);
        assertThat(log.lines())
                .containsExactly(
                        "[INFO] run 0",
                        "[INFO] run 60; 59 more runs have been skipped since the last such line",
                        "[INFO] run 120; 59 more runs have been skipped since the last such line");
    }

    @Test
    void runAfterAPauseHasALineWithoutANumber() {
        skipped.add("one");
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        skipped.add("another");
        assertThat(log.lines()).containsExactly("[INFO] one", "[INFO] another");
    }
}

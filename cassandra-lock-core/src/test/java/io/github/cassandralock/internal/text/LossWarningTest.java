package io.github.cassandralock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LossWarningTest {

    private static final Duration LATER = Duration.ofMinutes(1);

    private final Logger log = (Logger) LoggerFactory.getLogger(LossWarningTest.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SimulatedTime time = new SimulatedTime();
    private final LossWarning warning = new LossWarning(log, new SimulatedProcess(time, 1, Duration.ZERO));

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void listenNoMore() {
        log.detachAppender(lines);
    }

    private List<String> lines() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void eachOfThreeLocksThatAreLostAtOnceIsNamed() {
        List.of("a", "b", "c").forEach(lock -> warning.warn(lock, "it was broken"));
        time.run(LATER);
        assertThat(lines())
                .containsExactly("Lock 'a' is lost: it was broken", "More locks are lost: it was broken: 'b', 'c'");
    }

    @Test
    void locksThatAreLostForDifferentReasonsHaveDifferentLines() {
        warning.warn("a", "it was broken");
        warning.warn("b", "it was broken");
        warning.warn("c", "its lease ran out");
        time.run(LATER);
        assertThat(lines())
                .contains("More locks are lost: it was broken: 'b'", "More locks are lost: its lease ran out: 'c'");
    }

    @Test
    void linesAreBoundedHoweverManyLocksAreLost() {
        for (int lock = 0; lock < 5_000; lock++) {
            warning.warn("a lock with a long name, number " + lock, "its lease ran out");
        }
        time.run(LATER);
        assertThat(lines()).allMatch(line -> line.length() < 5_000);
        assertThat(String.join(" ", lines())).contains("number 0'", "number 2500'", "number 4999'");
    }

    @Test
    void lossAfterAnIntervalWithoutOneHasALineOfItsOwn() {
        warning.warn("a", "it was broken");
        time.run(LATER);
        warning.warn("b", "it was broken");
        assertThat(lines()).containsExactly("Lock 'a' is lost: it was broken", "Lock 'b' is lost: it was broken");
    }

    @Test
    void eachLockIsNamedAlsoIfTimersFail() {
        LossWarning atShutdown =
                new LossWarning(log, delay -> CompletableFuture.failedFuture(new IllegalStateException("shut down")));
        List.of("a", "b", "c").forEach(lock -> atShutdown.warn(lock, "the end"));
        assertThat(String.join(" ", lines())).contains("'a'", "'b'", "'c'");
    }
}

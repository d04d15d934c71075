package io.github.cassandralock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RepeatedWarningTest {

    private final Logger log = (Logger) LoggerFactory.getLogger(RepeatedWarningTest.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SimulatedTime time = new SimulatedTime();
    private final RepeatedWarning warning = new RepeatedWarning(log, new SimulatedProcess(time, 1, Duration.ZERO));

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
    void fiveThousandWarningsAtOnceAreTwoLines() {
        for (int lock = 0; lock < 5_000; lock++) {
            warning.warn("Lock " + lock + " is lost");
        }
        time.run(Duration.ofMinutes(1));
        assertThat(lines())
                .containsExactly(
                        "Lock 0 is lost",
                        "4999 more warnings of this kind came within 10 s; the latest: Lock 4999 is lost");
    }

    @Test
    void warningThatCannotBeLoggedSilencesNoLaterOne() {
        RuntimeException mute = new RuntimeException() {
            @Override
            public String getMessage() {
                throw new IllegalStateException("the entity is detached");
            }
        };
        assertThatThrownBy(() -> warning.warn("first", mute)).hasMessage("the entity is detached");
        warning.warn("second");
        time.run(Duration.ofMinutes(1));
        warning.warn("third");
        assertThat(lines()).endsWith("third");
    }

    @Test
    void warningsThatContinueAreOneLineEveryTenSeconds() {
        for (int second = 0; second < 60; second++) {
            warning.warn("Not acknowledged");
            time.run(Duration.ofSeconds(1));
        }
        assertThat(lines()).hasSizeBetween(6, 7);
    }

    @Test
    void warningAfterAnIntervalWithoutOneIsLoggedAsItIs() {
        warning.warn("One");
        time.run(Duration.ofMinutes(1));
        warning.warn("Another");
        assertThat(lines()).containsExactly("One", "Another");
    }

    @Test
    void allWarningsAreLoggedIfTimersFail() {
        RepeatedWarning atShutdown = new RepeatedWarning(
                log,
                delay -> java.util.concurrent.CompletableFuture.failedFuture(new IllegalStateException("shut down")));
        atShutdown.warn("One");
        atShutdown.warn("Two");
        assertThat(lines()).containsExactly("One", "Two");
    }
}

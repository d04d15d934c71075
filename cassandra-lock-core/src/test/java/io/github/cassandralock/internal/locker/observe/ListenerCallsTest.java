package io.github.cassandralock.internal.locker.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.cassandralock.LockListener;
import io.github.cassandralock.internal.text.RepeatedWarning;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ListenerCallsTest {

    private static final int MOST_WAITING = 10_000;

    private final Logger logger = (Logger) LoggerFactory.getLogger(ListenerCalls.class);
    private final Queue<String> logged = new ConcurrentLinkedQueue<>();
    private final RepeatedWarning failed = new RepeatedWarning(logger, delay -> new CompletableFuture<>());
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            logged.add(event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : ": " + event.getThrowableProxy().getMessage()));
        }
    };

    @BeforeEach
    void readTheLog() {
        appender.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(appender);
    }

    @AfterEach
    void readTheLogNoMore() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }

    @Test
    void listenerThatDoesNotReturnCausesTwoLogLinesHoweverManyEventsAreDropped() {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> returns = new CompletableFuture<>();
        AtomicInteger heard = new AtomicInteger();
        AtomicInteger linesBeforeAllWereHeard = new AtomicInteger();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        ListenerCalls calls = new ListenerCalls(
                List.of(new LockListener() {
                    @Override
                    public void onRefused(String lockId) {
                        begun.complete(null);
                        returns.join();
                        if (heard.incrementAndGet() == MOST_WAITING) {
                            linesBeforeAllWereHeard.set(logged.size());
                        }
                    }
                }),
                thread,
                failed);
        try {
            calls.publish("lock", listener -> listener.onRefused("lock"));
            begun.join();
            for (int event = 0; event < MOST_WAITING - 1 + 300; event++) {
                calls.publish("lock", listener -> listener.onRefused("lock"));
            }
            returns.complete(null);
            await().untilAsserted(() -> assertThat(logged)
                    .satisfiesExactly(
                            line -> assertThat(line).contains("do not receive an event of lock 'lock'"),
                            line -> assertThat(line).contains("did not receive 300 events")));
            assertThat(heard).hasValue(MOST_WAITING);
            assertThat(linesBeforeAllWereHeard).hasValue(1);
        } finally {
            thread.shutdown();
        }
    }

    @Test
    void listenerThatIsQuickCausesNoLogLine() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        ListenerCalls calls = new ListenerCalls(List.of(new LockListener() {}), thread, failed);
        calls.publish("lock", listener -> listener.onRefused("lock"));
        thread.shutdown();
        assertThat(thread.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(logged).isEmpty();
    }

    @Test
    void listenerThatThrowsAtEveryEventIsOneLineWithItsStackTrace() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        LockListener throwing = new LockListener() {
            @Override
            public void onRefused(String lockId) {
                throw new IllegalStateException("a listener of bad quality");
            }
        };
        ListenerCalls calls = new ListenerCalls(List.of(throwing), thread, failed);
        for (int event = 0; event < 100; event++) {
            calls.publish("lock", listener -> listener.onRefused("lock"));
        }
        thread.shutdown();
        assertThat(thread.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(logged)
                .singleElement()
                .asString()
                .contains("failed on lock 'lock'; the lock is not affected", "a listener of bad quality");
    }
}

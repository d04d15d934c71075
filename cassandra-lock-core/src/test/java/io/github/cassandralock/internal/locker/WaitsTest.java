package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.call.Waits;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** What calls do on threads on which all locks depend. Here, that is the thread of the test, or one of the timers. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WaitsTest {

    private static final Duration BOUND = Duration.ofSeconds(10);

    private final ScheduledTimers timers = new ScheduledTimers();
    private final SilentGrant grant = new SilentGrant();
    private final Thread test = Thread.currentThread();
    private boolean dutiful = true;
    private final AlgorithmLocker locker = new AlgorithmLocker(
            new GrantingAlgorithm(grant, mode -> true),
            Duration.ofMinutes(10),
            Ticker.system(),
            timers,
            List.of(),
            () -> CallObserver.NONE,
            CallbackThreads.create(),
            () -> dutiful && Thread.currentThread() == test ? Optional.of("a thread of the driver") : Optional.empty(),
            AbandonedPolicy.WARN);

    @AfterEach
    void close() {
        dutiful = false;
        grant.released.complete(null);
        locker.close();
        timers.close();
    }

    /** Cassandra does not answer. */
    private static final class SilentGrant extends PlainGrant {

        private final CompletableFuture<Void> released = new CompletableFuture<>();
        private boolean releasing;

        @Override
        public boolean isValid() {
            return !releasing;
        }

        @Override
        public CompletionStage<Long> reserveFencingToken() {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<Void> release() {
            releasing = true;
            return released;
        }
    }

    private RemoteLock lock() {
        CompletableFuture<RemoteLock> granted = new CompletableFuture<>();
        locker.getLockAsync("a").thenAccept(granted::complete);
        return granted.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
    }

    private static Stream<Consumer<AlgorithmLocker>> callsThatWait() {
        MultiLockRequest both = MultiLockRequest.of(List.of("a", "b"));
        return Stream.of(
                locker -> locker.getLock("a"),
                locker -> locker.getLock("a", BOUND),
                locker -> locker.tryGetLock("a"),
                locker -> locker.getLocks(both),
                locker -> locker.getLocks(both, BOUND),
                locker -> locker.tryGetLocks(both));
    }

    @ParameterizedTest
    @MethodSource("callsThatWait")
    void callThatWaitsIsRefusedAtOnceAndSaysWhatToWrite(Consumer<AlgorithmLocker> call) {
        assertThatThrownBy(() -> call.accept(locker))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'a' was not requested on thread '" + test.getName() + "', which must not wait")
                .hasMessageContaining("it is a thread of the driver.")
                .hasMessageContaining(
                        "Async, or go on on a thread of your own, for example by thenAcceptAsync(…, executor)");
        assertThat(locker.waitingCalls()).isZero();
    }

    private static Stream<Consumer<RemoteLock>> callsOfHandlesThatWait() {
        return Stream.of(
                lock -> lock.convert(LockMode.NULL),
                lock -> lock.convert(LockMode.NULL, BOUND),
                lock -> lock.tryConvert(LockMode.NULL),
                RemoteLock::readValue,
                lock -> lock.writeValue(new byte[1]),
                RemoteLock::reserveFencingToken);
    }

    @ParameterizedTest
    @MethodSource("callsOfHandlesThatWait")
    void callOfAHandleThatWaitsIsRefusedAtOnce(Consumer<RemoteLock> call) {
        RemoteLock lock = lock();
        assertThatThrownBy(() -> call.accept(lock))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("(?s).*[lL]ock 'a'.*")
                .hasMessageContaining("which must not wait");
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void closeReleasesWithoutWaitingAndWarnsOnce() {
        Logger log = (Logger) LoggerFactory.getLogger(Waits.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Level usual = log.getLevel();
        log.setLevel(Level.WARN);
        log.addAppender(logged);
        try {
            for (int closing = 0; closing < 2; closing++) {
                RemoteLock lock = lock();
                lock.close();
                assertThat(lock.isHeld()).isFalse();
                assertThat(grant.releasing).isTrue();
                grant.releasing = false;
            }
            assertThat(logged.list)
                    .singleElement()
                    .satisfies(warning -> assertThat(warning.getFormattedMessage())
                            .contains("it is a thread of the driver", "call closeAsync() instead"));
        } finally {
            log.detachAppender(logged);
            log.setLevel(usual);
        }
    }

    @Test
    void waitForAStageThatDependsOnACallIsRefusedAtOnce() {
        CompletableFuture<?> dependent = locker.getLockAsync("a").thenCompose(lock -> new CompletableFuture<>());
        assertThatThrownBy(dependent::join)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("The answer for lock 'a' is not waited for");
    }

    @Test
    void threadsOfTheTimersMustNotWaitEither() {
        assertThat(timers.after(Duration.ofMillis(200)).thenRun(() -> locker.getLock(LockRequest.of("a"))))
                .failsWithin(BOUND)
                .withThrowableThat()
                .withMessageContaining("it is a thread of the locks' timers");
    }

    @Test
    void otherThreadsMayWait() {
        dutiful = false;
        assertThatCode(() -> locker.getLock("a")).doesNotThrowAnyException();
    }
}

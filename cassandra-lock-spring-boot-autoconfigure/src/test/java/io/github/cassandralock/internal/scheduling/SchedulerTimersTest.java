package io.github.cassandralock.internal.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.TimerThreads;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;

class SchedulerTimersTest {

    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration DELAY = Duration.ofMillis(300);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final ScheduledThreadPoolExecutor executor = TimerThreads.create();

    @AfterEach
    void endThreads() {
        executor.shutdownNow();
    }

    /** Steps by as much after each reading. */
    private static final class SteppingClock extends Clock {

        private final AtomicReference<Duration> offset = new AtomicReference<>(Duration.ZERO);
        private final Duration step;

        SteppingClock(Duration step) {
            this.step = step;
        }

        void step(Duration by) {
            offset.updateAndGet(by::plus);
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(offset.getAndUpdate(step::plus));
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private ConcurrentTaskScheduler scheduler(Clock clock) {
        ConcurrentTaskScheduler scheduler = new ConcurrentTaskScheduler(executor);
        scheduler.setClock(clock);
        return scheduler;
    }

    /** How long a timer of {@link #DELAY} takes; it must end. */
    private static Duration elapsed(SchedulerTimers timers) {
        return elapsed(timers, () -> {});
    }

    private static Duration elapsed(SchedulerTimers timers, Runnable meanwhile) {
        long start = System.nanoTime();
        CompletableFuture<Long> end = timers.after(DELAY).thenApply(done -> System.nanoTime());
        meanwhile.run();
        assertThat(end).succeedsWithin(BOUND);
        return Duration.ofNanos(end.join() - start);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1H", "PT-1H"})
    void timerTakesItsDelayAlthoughTheClockStepsBetweenItsReadings(Duration step) {
        try (SchedulerTimers timers = new SchedulerTimers(scheduler(new SteppingClock(step)), Ticker.system())) {
            for (int number = 0; number < 3; number++) {
                assertThat(elapsed(timers)).isGreaterThanOrEqualTo(DELAY);
            }
        }
    }

    /** Keeps the time at which a task is to run, and looks at its clock now and then. */
    private class InstantKeepingScheduler extends ConcurrentTaskScheduler {

        private final Clock clock;

        InstantKeepingScheduler(Clock clock) {
            super(executor);
            this.clock = clock;
        }

        @Override
        public Clock getClock() {
            return clock;
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
            return executor.scheduleWithFixedDelay(
                    () -> {
                        if (!clock.instant().isBefore(startTime)) {
                            task.run();
                        }
                    },
                    1,
                    1,
                    TimeUnit.MILLISECONDS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1H", "PT-1H"})
    void timerTakesItsDelayAlthoughTheClockStepsWhileItWaits(Duration step) {
        SteppingClock clock = new SteppingClock(Duration.ZERO);
        try (SchedulerTimers timers = new SchedulerTimers(new InstantKeepingScheduler(clock), Ticker.system())) {
            assertThat(elapsed(timers, () -> clock.step(step))).isGreaterThanOrEqualTo(DELAY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void timerTakesItsDelayAlthoughTheSchedulerHidesAWrongClock(Duration error) {
        SteppingClock wrong = new SteppingClock(Duration.ZERO);
        wrong.step(error);
        TaskScheduler hiding = new InstantKeepingScheduler(wrong) {

            @Override
            public Clock getClock() {
                return Clock.systemUTC();
            }
        };
        try (SchedulerTimers timers = new SchedulerTimers(hiding, Ticker.system())) {
            assertThat(elapsed(timers)).isGreaterThanOrEqualTo(DELAY);
        }
    }

    /** A task that runs too early waits without asking again and again. */
    @Test
    void threadsOfTheSchedulerAreThoseOnWhichTimersEnd() {
        try (SchedulerTimers timers = new SchedulerTimers(scheduler(Clock.systemUTC()), Ticker.system())) {
            assertThat(timers.after(Duration.ofMillis(200)).thenApply(ended -> timers.areOnThisThread()))
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isEqualTo(true);
            assertThat(timers.areOnThisThread()).isFalse();
        }
    }

    @Test
    void earlyTaskOccupiesNoThreadUntilItIsDue() {
        AtomicInteger readings = new AtomicInteger();
        Ticker counting = () -> {
            readings.incrementAndGet();
            return System.nanoTime();
        };
        try (SchedulerTimers timers = new SchedulerTimers(scheduler(new SteppingClock(HOUR)), counting)) {
            assertThat(elapsed(timers)).isGreaterThanOrEqualTo(DELAY);
            assertThat(readings).hasValueLessThan(20);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600, 200_000 * 86_400L, Long.MAX_VALUE})
    void noTaskOfALongTimerWaitsForLongerThanAMinute(long seconds) {
        List<Instant> starts = new ArrayList<>();
        TaskScheduler noting = new ConcurrentTaskScheduler(executor) {

            @Override
            public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
                starts.add(startTime);
                return super.schedule(task, startTime);
            }
        };
        try (SchedulerTimers timers = new SchedulerTimers(noting, Ticker.system())) {
            CompletableFuture<Void> pending = timers.after(Duration.ofSeconds(seconds));
            assertThat(starts)
                    .singleElement()
                    .satisfies(start -> assertThat(start).isBefore(Instant.now().plus(MINUTE)));
            elapsed(timers);
            assertThat(pending).isNotDone();
        }
    }

    @Test
    void timersOfNoOrNegativeDelayEndAtOnce() {
        try (SchedulerTimers timers = new SchedulerTimers(scheduler(Clock.systemUTC()), Ticker.system())) {
            assertThat(timers.after(Duration.ZERO)).succeedsWithin(BOUND);
            assertThat(timers.after(Duration.ofSeconds(Long.MIN_VALUE))).succeedsWithin(BOUND);
        }
    }

    @Test
    void cancelledTimerLeavesTheQueueOfTheScheduler() {
        try (SchedulerTimers timers = new SchedulerTimers(scheduler(Clock.systemUTC()), Ticker.system())) {
            int before = executor.getQueue().size();
            timers.after(HOUR).cancel(false);
            assertThat(executor.getQueue()).hasSizeLessThanOrEqualTo(before);
        }
        assertThat(executor.getQueue()).as("after closing").isEmpty();
    }

    @Test
    void closingFailsPendingTimersAndLaterOnesAndLeavesTheSchedulerOpen() {
        SchedulerTimers timers = new SchedulerTimers(scheduler(Clock.systemUTC()), Ticker.system());
        CompletableFuture<Void> pending = timers.after(HOUR);
        timers.close();
        assertThat(pending).isCompletedExceptionally();
        assertThat(timers.after(Duration.ZERO)).isCompletedExceptionally();
        assertThat(executor.isShutdown()).isFalse();
    }

    @Test
    void timerThatTheSchedulerRejectsHasFailed() {
        SchedulerTimers timers = new SchedulerTimers(scheduler(Clock.systemUTC()), Ticker.system());
        executor.shutdownNow();
        assertThatThrownBy(timers.after(DELAY)::join).hasMessageContaining("rejects timers");
    }

    @Test
    void timerWhoseRestTheSchedulerRejectsFails() {
        AtomicInteger repeated = new AtomicInteger();
        TaskScheduler rejecting = new ConcurrentTaskScheduler(executor) {

            @Override
            public Clock getClock() {
                return Clock.offset(Clock.systemUTC(), HOUR.negated());
            }

            @Override
            public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
                if (repeated.getAndIncrement() > 0) {
                    executor.shutdown();
                }
                return super.scheduleWithFixedDelay(task, delay);
            }
        };
        SchedulerTimers timers = new SchedulerTimers(rejecting, Ticker.system());
        assertThat(timers.after(DELAY)).failsWithin(BOUND);
    }

    @Test
    void ownSchedulerHasDaemonThreadsAndEndsThem() throws InterruptedException {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        try (LockTaskScheduler own = LockTaskScheduler.withThreads("cassandra-lock-")) {
            own.scheduler().schedule(() -> ran.complete(Thread.currentThread()), Instant.now());
            assertThat(ran).succeedsWithin(BOUND);
            assertThat(ran.join().isDaemon()).isTrue();
            assertThat(ran.join().getName()).startsWith("cassandra-lock-");
        }
        ran.join().join(BOUND.toMillis());
        assertThat(ran.join().isAlive()).isFalse();
    }

    @Test
    void onlyTheExecutorOfTimersEndsWithItsScheduler() {
        ScheduledThreadPoolExecutor other = TimerThreads.create();
        new LockTaskScheduler(new ConcurrentTaskScheduler(other, executor)).close();
        assertThat(executor.isShutdown()).isTrue();
        assertThat(other.isShutdown()).isFalse();
        other.shutdown();
    }

    /** Spring runs methods with {@code @Async} on an executor that is the only one. */
    @Test
    void ownSchedulerIsNoExecutor() {
        try (LockTaskScheduler own = LockTaskScheduler.withThreads("cassandra-lock-")) {
            assertThat(own).isNotInstanceOf(Executor.class);
        }
    }
}

package io.github.cassandralock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.internal.threads.Leftovers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.Test;

class ScheduledTimersTest {

    private static final Duration BOUND = Duration.ofSeconds(10);

    @Test
    void timerCompletesOnASeparateThread() {
        try (ScheduledTimers timers = new ScheduledTimers()) {
            CompletableFuture<String> thread = timers.after(Duration.ofMillis(20))
                    .thenApply(done -> Thread.currentThread().getName());
            assertThat(thread).succeedsWithin(BOUND).asString().startsWith("cassandra-lock-");
        }
    }

    @Test
    void closingFailsPendingTimersAndLaterOnes() {
        ScheduledTimers timers = new ScheduledTimers();
        CompletableFuture<Void> pending = timers.after(Duration.ofHours(1));
        timers.close();
        assertThat(pending).isCompletedExceptionally();
        assertThat(timers.after(Duration.ZERO)).isCompletedExceptionally();
    }

    @Test
    void closingEndsItsThreads() {
        ScheduledTimers timers = new ScheduledTimers();
        CompletableFuture<Thread> thread =
                timers.after(Duration.ofMillis(20)).thenApply(done -> Thread.currentThread());
        Thread worker = thread.join();
        timers.close();
        await().atMost(BOUND).until(() -> !worker.isAlive());
    }

    @Test
    void delayThatOverflowsALongCountsAsUnlimited() {
        try (ScheduledTimers timers = new ScheduledTimers()) {
            assertThat(timers.after(Duration.ofDays(200_000))).isNotDone();
        }
    }

    @Test
    void timerWaitsForItsDelayHoweverManyTimersEndBeforeIt() {
        try (ScheduledTimers timers = new ScheduledTimers()) {
            CompletableFuture<Void> later = timers.after(Duration.ofHours(1));
            CompletableFuture<Void> never = timers.after(Duration.ofDays(200_000));
            for (int number = 0; number < 20; number++) {
                timers.after(Duration.ofNanos(1)).join();
            }
            assertThat(later).isNotDone();
            assertThat(never).isNotDone();
        }
    }

    @Test
    void cancelledTimerIsRemoved() {
        try (ScheduledTimers timers = new ScheduledTimers()) {
            timers.after(Duration.ofHours(1)).cancel(false);
            ScheduledThreadPoolExecutor executor = (ScheduledThreadPoolExecutor) Leftovers.of(timers, "executor");
            assertThat(executor.getQueue()).isEmpty();
            assertThat(Leftovers.in(timers, "pending")).isZero();
        }
    }

    @Test
    void threadsOfTimersAreDaemons() {
        try (ScheduledTimers timers = new ScheduledTimers()) {
            assertThat(timers.after(Duration.ofMillis(20)).thenApply(done -> Thread.currentThread()))
                    .succeedsWithin(BOUND)
                    .matches(thread -> thread.isDaemon() && thread.getName().startsWith("cassandra-lock-"));
        }
    }
}

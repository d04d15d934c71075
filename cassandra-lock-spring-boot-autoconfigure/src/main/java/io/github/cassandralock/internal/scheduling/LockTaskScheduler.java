package io.github.cassandralock.internal.scheduling;

import io.github.cassandralock.internal.time.TimerThreads;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;

/**
 * The scheduler of the locks: two daemon threads, {@code cassandra-lock-1} and {@code -2}, until {@link #close()}. No life cycle of
 * a context stops it. Thread-safe.
 */
public class LockTaskScheduler implements TaskScheduler, AutoCloseable {

    /*
     * No subclass of ConcurrentTaskScheduler, which is a TaskExecutor as well: Spring runs @Async methods on a TaskExecutor that
     * is the only one, whether or not it is a default candidate.
     */

    private final ScheduledThreadPoolExecutor executor = TimerThreads.create();
    private final ConcurrentTaskScheduler scheduler = new ConcurrentTaskScheduler(executor);

    @Override
    public Clock getClock() {
        return scheduler.getClock();
    }

    @Override
    public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
        return scheduler.schedule(task, trigger);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
        return scheduler.schedule(task, startTime);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
        return scheduler.scheduleAtFixedRate(task, startTime, period);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
        return scheduler.scheduleAtFixedRate(task, period);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
        return scheduler.scheduleWithFixedDelay(task, startTime, delay);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
        return scheduler.scheduleWithFixedDelay(task, delay);
    }

    /** Ends the threads. Tasks that are not running are dropped. Idempotent. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}

package io.github.cassandralock.internal.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Timers on two separate daemon threads, {@code cassandra-lock-1} and {@code -2}. They renew the leases, so they work until
 * {@link #close()}, even if the application's own schedulers are blocked or stopped. Thread-safe.
 */
public final class ScheduledTimers implements Timers, AutoCloseable {

    private static final int THREADS = 2;

    private final ScheduledThreadPoolExecutor executor;
    private final ConcurrentMap<Long, CompletableFuture<Void>> pending = new ConcurrentHashMap<>();
    private final AtomicLong begun = new AtomicLong();

    public ScheduledTimers() {
        AtomicInteger number = new AtomicInteger();
        executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, "cassandra-lock-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        CompletableFuture<Void> timer = new CompletableFuture<>();
        Long number = begun.incrementAndGet();
        pending.put(number, timer);
        timer.whenComplete((done, ended) -> pending.remove(number));
        try {
            ScheduledFuture<?> task = executor.schedule(() -> timer.complete(null), nanos(delay), TimeUnit.NANOSECONDS);
            timer.whenComplete((done, cancelled) -> task.cancel(false));
        } catch (RejectedExecutionException e) {
            timer.completeExceptionally(closed());
        }
        return timer;
    }

    private static long nanos(Duration delay) {
        try {
            return delay.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the timers of the locks were closed, together with the application");
    }

    /** Ends the threads, and completes all pending timers exceptionally, so that no task waits for them for ever. */
    @Override
    public void close() {
        executor.shutdownNow();
        pending.values().forEach(timer -> timer.completeExceptionally(closed()));
    }
}

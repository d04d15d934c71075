package io.github.cassandralock.internal.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Timers for programs without Spring, on {@link TimerThreads} of their own, until {@link #close()}. Thread-safe. */
public final class ScheduledTimers implements Timers, AutoCloseable {

    private final ScheduledThreadPoolExecutor executor = TimerThreads.create();
    private final ConcurrentMap<Long, CompletableFuture<Void>> pending = new ConcurrentHashMap<>();
    private final AtomicLong begun = new AtomicLong();
    private final ThreadLocal<Boolean> onThisThread = ThreadLocal.withInitial(() -> false);

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        CompletableFuture<Void> timer = new CompletableFuture<>();
        Long number = begun.incrementAndGet();
        pending.put(number, timer);
        timer.whenComplete((done, ended) -> pending.remove(number));
        try {
            ScheduledFuture<?> task =
                    executor.schedule(() -> end(timer), TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
            timer.whenComplete((done, cancelled) -> task.cancel(false));
        } catch (RejectedExecutionException e) {
            timer.completeExceptionally(closed());
        }
        return timer;
    }

    private void end(CompletableFuture<Void> timer) {
        onThisThread.set(true);
        timer.complete(null);
    }

    @Override
    public boolean areOnThisThread() {
        return onThisThread.get();
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the timers of the locks were closed, together with the application");
    }

    /** Ends the threads, and completes all pending timers exceptionally, so that no task waits for ever. */
    @Override
    public void close() {
        executor.shutdownNow();
        pending.values().forEach(timer -> timer.completeExceptionally(closed()));
    }
}

package io.github.cassandralock.internal.test;

import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The monotonic clock of this process and its timers, which a test can move forward together. Thread-safe. */
public final class MovableTime implements Ticker, Timers, AutoCloseable {

    /** Shorter than the interval in which rows of held locks are checked for a new write, so that none expires. */
    private static final Duration STEP = Duration.ofMinutes(5);

    private final ScheduledTimers timers = new ScheduledTimers();
    private final AtomicLong moved = new AtomicLong();
    private final Set<Timer> pending = ConcurrentHashMap.newKeySet();

    @Override
    public long nanos() {
        return System.nanoTime() + moved.get();
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        Timer timer = new Timer(nanos() + TimeUnit.NANOSECONDS.convert(delay));
        pending.add(timer);
        timer.whenComplete((done, ended) -> timer.stop());
        timer.start();
        return timer;
    }

    @Override
    public boolean areOnThisThread() {
        return timers.areOnThisThread();
    }

    /**
     * Moves the time forward. Timers that are due by then end on the calling thread before this method returns, step by step, and within
     * a step in the order of their times.
     */
    public void move(Duration by) {
        Duration left = by;
        for (; left.compareTo(STEP) > 0; left = left.minus(STEP)) {
            step(STEP);
        }
        step(left);
        pending.forEach(Timer::start);
    }

    private void step(Duration by) {
        moved.addAndGet(by.toNanos());
        long now = nanos();
        pending.stream()
                .filter(timer -> timer.until - now <= 0)
                .sorted(Comparator.comparingLong(timer -> timer.until - now))
                .forEach(timer -> timer.complete(null));
    }

    /** Ends the threads, and completes all pending timers exceptionally. */
    @Override
    public void close() {
        timers.close();
    }

    private final class Timer extends CompletableFuture<Void> {

        private final long until;
        private volatile @Nullable CompletableFuture<Void> scheduled;

        Timer(long until) {
            this.until = until;
        }

        /** Also when the time has moved: the real timer of before is replaced. */
        void start() {
            CompletableFuture<Void> last = scheduled;
            CompletableFuture<Void> next = timers.after(Duration.ofNanos(Math.max(0, until - nanos())));
            scheduled = next;
            next.whenComplete((done, failure) -> {
                if (failure == null) {
                    complete(null);
                } else if (!next.isCancelled()) {
                    completeExceptionally(failure);
                }
            });
            if (last != null) {
                last.cancel(false);
            }
        }

        void stop() {
            pending.remove(this);
            CompletableFuture<Void> last = scheduled;
            if (last != null) {
                last.cancel(false);
            }
        }
    }
}

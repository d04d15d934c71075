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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The monotonic clock of this process and its timers, which a test can move forward together. Thread-safe. */
public final class MovableTime implements Ticker, Timers, AutoCloseable {

    /*
     * A timer that ends may begin others, as a lock that is lost goes to the next waiter. Therefore the time moves from one timer
     * to the next. Only timers as short as polls may end late, by a part of the distance that the time has moved. Otherwise a
     * move by months would take millions of steps.
     */
    private static final long LONGEST_POLL = TimeUnit.SECONDS.toNanos(10);

    private static final long POLL_PRECISION = 1_000;
    private static final long SHORTEST_STEP = TimeUnit.MILLISECONDS.toNanos(1);

    /** Less than a test would notice, if code of the test blocks those threads. */
    private static final long LONGEST_WAIT = TimeUnit.MILLISECONDS.toNanos(200);

    private final ScheduledTimers timers = new ScheduledTimers();
    private final AtomicLong moved = new AtomicLong();
    private final Set<Timer> pending = ConcurrentHashMap.newKeySet();
    private final BooleanSupplier othersIdle;

    /** @param othersIdle whether the other threads have ended what timers made them do */
    public MovableTime(BooleanSupplier othersIdle) {
        this.othersIdle = othersIdle;
    }

    @Override
    public long nanos() {
        return System.nanoTime() + moved.get();
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        Timer timer = new Timer(TimeUnit.NANOSECONDS.convert(delay));
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
     * Moves the time forward. Timers that are due by then end on the calling thread, in order, before this method returns. Each
     * finds the time at which it is due, and the timers that it begins count from there. Waits before each step until the other
     * threads are idle, unless that takes too long once.
     */
    public void move(Duration by) {
        long whole = by.toNanos();
        long left = whole;
        boolean othersEnd = true;
        do {
            othersEnd = othersEnd && othersEnd();
            long step = Math.min(left, untilNext(whole - left));
            moved.addAndGet(step);
            left -= step;
            endDue();
        } while (left > 0);
        pending.forEach(Timer::start);
    }

    private boolean othersEnd() {
        long begun = System.nanoTime();
        while (!othersIdle.getAsBoolean()) {
            if (System.nanoTime() - begun > LONGEST_WAIT) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private long untilNext(long movedSoFar) {
        long now = nanos();
        long untilPoll = Math.max(SHORTEST_STEP, movedSoFar / POLL_PRECISION);
        return pending.stream()
                .filter(timer -> !timer.isDone())
                .mapToLong(timer -> Math.max(timer.isPoll ? untilPoll : 0, timer.until - now))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private void endDue() {
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
        private final boolean isPoll;
        private volatile @Nullable CompletableFuture<Void> scheduled;

        Timer(long delay) {
            this.until = nanos() + delay;
            this.isPoll = delay <= LONGEST_POLL;
        }

        /** Replaces the earlier real timer, even when the time has moved. */
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

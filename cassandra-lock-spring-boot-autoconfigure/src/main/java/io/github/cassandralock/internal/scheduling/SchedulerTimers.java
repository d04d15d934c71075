package io.github.cassandralock.internal.scheduling;

import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.TaskScheduler;

/**
 * Timers on a {@link TaskScheduler}, until {@link #close()}, which leaves the scheduler open. If the scheduler rejects a timer, the
 * timer fails. Thread-safe.
 *
 * <p>A scheduler counts in wall-clock time, which can step. The {@link Ticker} decides whether a timer has ended. A timer is
 * never early, and at most {@link #CHECK_INTERVAL} late, whatever the wall clock does.
 */
public class SchedulerTimers implements Timers, AutoCloseable {

    /**
     * Both corrections use a fixed delay, which has no start time and does not depend on a wall clock. A timer whose task runs
     * early uses it for the rest. A check of all timers finds one whose task does not run in time.
     */

    /** A small part of the shortest lease, whose renewals are 0.6 seconds apart. */
    static final Duration CHECK_INTERVAL = Duration.ofMillis(250);

    /**
     * The longest delay of a task. A scheduler may keep cancelled tasks until their start, and each asynchronous call with a
     * time-out leaves one. A long delay may overflow. A task of a longer timer runs early.
     */
    static final Duration LONGEST_TASK = Duration.ofMinutes(1);

    private static final long SHORTEST_REST_NANOS = Duration.ofMillis(1).toNanos();

    /** Half of what a difference of two readings of the ticker can express: 146 years. */
    private static final Duration LONGEST_DELAY = Duration.ofNanos(Long.MAX_VALUE / 2);

    private final TaskScheduler scheduler;
    private final Ticker ticker;
    private final Set<Timer> pending = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Boolean> onThisThread = ThreadLocal.withInitial(() -> false);
    private final ScheduledFuture<?> check;
    private volatile boolean closed;

    public SchedulerTimers(TaskScheduler scheduler, Ticker ticker) {
        this.scheduler = scheduler;
        this.ticker = ticker;
        check = scheduler.scheduleWithFixedDelay(this::endAllDue, CHECK_INTERVAL);
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        Timer timer = new Timer(ticker.nanos() + shorter(delay, LONGEST_DELAY).toNanos());
        pending.add(timer);
        if (closed) {
            timer.fail(closed());
        } else {
            timer.start(shorter(delay, LONGEST_TASK));
        }
        return timer.end;
    }

    @Override
    public Ticker ticker() {
        return ticker;
    }

    private void endAllDue() {
        onThisThread.set(true);
        pending.forEach(Timer::endIfDue);
    }

    /** True even if the thread runs something else now: the scheduler has used it for timers. */
    @Override
    public boolean areOnThisThread() {
        return onThisThread.get();
    }

    private static Duration shorter(Duration delay, Duration bound) {
        Duration positive = delay.isNegative() ? Duration.ZERO : delay;
        return positive.compareTo(bound) < 0 ? positive : bound;
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the timers of the locks were closed, together with the application");
    }

    /** Fails all pending timers, so that no task waits for them for ever, and removes them from the scheduler. */
    @Override
    public void close() {
        closed = true;
        check.cancel(false);
        pending.forEach(timer -> timer.fail(closed()));
    }

    private final class Timer implements Runnable {

        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private final long endsAt;
        private final AtomicBoolean early = new AtomicBoolean();
        private volatile @Nullable Future<?> task;

        Timer(long endsAt) {
            this.endsAt = endsAt;
            end.whenComplete((done, failure) -> ended());
        }

        void start(Duration delay) {
            begin(() -> scheduler.schedule(this, scheduler.getClock().instant().plus(delay)));
        }

        @Override
        public void run() {
            onThisThread.set(true);
            if (!endIfDue() && early.compareAndSet(false, true)) {
                awaitRest();
            }
        }

        private boolean endIfDue() {
            boolean due = rest() <= 0;
            if (due) {
                end.complete(null);
            }
            return due;
        }

        private long rest() {
            return endsAt - ticker.nanos();
        }

        /** The first run of a task with a fixed delay is at once, the second one after the delay. */
        private void awaitRest() {
            Duration rest = Duration.ofNanos(Math.max(rest(), SHORTEST_REST_NANOS));
            begin(() -> scheduler.scheduleWithFixedDelay(this, shorter(rest, LONGEST_TASK)));
        }

        private void begin(Supplier<Future<?>> scheduling) {
            try {
                Future<?> running = scheduling.get();
                task = running;
                if (end.isDone()) {
                    running.cancel(false);
                }
            } catch (RuntimeException | Error e) {
                fail(new IllegalStateException(
                        "the task scheduler of the locks rejects timers; it must work until the application has closed",
                        e));
            }
        }

        private void ended() {
            pending.remove(this);
            Future<?> running = task;
            if (running != null) {
                running.cancel(false);
            }
        }

        void fail(IllegalStateException reason) {
            end.completeExceptionally(reason);
        }
    }
}

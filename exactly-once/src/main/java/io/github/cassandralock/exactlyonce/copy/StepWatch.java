package io.github.cassandralock.exactlyonce.copy;

import io.github.cassandralock.exactlyonce.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds steps that take longer than a limit, for example because a function hangs. Causes their copies to report them. The first
 * report comes when the limit is over, the next each time the step has taken twice as long. A report is late by up to a quarter
 * of the limit, at most 10 s. The daemon thread {@code exactly-once-steps} runs while copies run. Thread-safe. Any number of
 * copies share one object.
 */
public final class StepWatch {

    /** The limit unless another is set. */
    public static final Duration DEFAULT_LIMIT = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(StepWatch.class);
    private static final Duration SHORTEST_LIMIT = Duration.ofMillis(1);
    private static final Duration LONGEST_LIMIT = Duration.ofDays(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    private static final int LOOKS_IN_A_LIMIT = 4;

    private final Duration limit;
    private final Ticker ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Running copies, each with the step that was reported last. Guarded by the lock. */
    private final Map<Copy<?>, Optional<Reported>> copies = new HashMap<>();

    /** Whether the thread runs. Guarded by the lock. */
    private boolean looks;

    /** The begin of a reported step, and how long it had lasted, both by the ticker. */
    private record Reported(long began, long nanos) {}

    /**
     * Creates a watch without copies and without a thread.
     *
     * @param limit how long a step may take; 1 ms to 1 day
     * @param ticker the clock of the copies
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public StepWatch(Duration limit, Ticker ticker) {
        if (limit.compareTo(SHORTEST_LIMIT) < 0 || limit.compareTo(LONGEST_LIMIT) > 0) {
            throw new IllegalArgumentException("The limit of a step is 1 ms to 1 day, not " + limit);
        }
        this.limit = limit;
        this.ticker = ticker;
    }

    /** How long a step may take. */
    public Duration getLimit() {
        return limit;
    }

    /** Adds a copy, which runs from now on. */
    void enter(Copy<?> copy) {
        lock.lock();
        try {
            copies.put(copy, Optional.empty());
            if (!looks) {
                Thread thread = new Thread(this::lookWhileCopiesRun, "exactly-once-steps");
                thread.setDaemon(true);
                thread.start();
                looks = true; // after the start, which may fail for lack of memory
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes a copy, which no longer runs. */
    void leave(Copy<?> copy) {
        lock.lock();
        try {
            copies.remove(copy);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void lookWhileCopiesRun() {
        long wait = Math.min(limit.dividedBy(LOOKS_IN_A_LIMIT).toNanos(), LONGEST_WAIT.toNanos());
        while (waitForNextLook(wait)) {
            for (Copy<?> copy : overdue()) {
                report(copy);
            }
        }
    }

    private static void report(Copy<?> copy) {
        try {
            copy.reportOverdue();
        } catch (Throwable e) { // there may be no memory for a thread
            log.warn(
                    "A long step was not reported to listeners. The report comes again if the step takes twice as long",
                    e);
        }
    }

    /** Returns false, and so ends the thread, if there is no copy any more. */
    private boolean waitForNextLook(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!copies.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            log.debug("The thread that looks for long steps ignores interrupts: it ends with the last copy", e);
        } finally {
            looks = !copies.isEmpty();
            lock.unlock();
        }
        return looks;
    }

    private List<Copy<?>> overdue() {
        lock.lock();
        try {
            List<Copy<?>> found = new ArrayList<>();
            long now = ticker.readNanos();
            copies.replaceAll((copy, reported) -> {
                Optional<Reported> next = copy.stepBegan()
                        .map(began -> new Reported(began, now - began))
                        .filter(step -> isToBeReported(step, reported));
                next.ifPresent(step -> found.add(copy));
                return next.or(() -> reported);
            });
            return found;
        } finally {
            lock.unlock();
        }
    }

    private boolean isToBeReported(Reported step, Optional<Reported> before) {
        long after = before.filter(reported -> reported.began() == step.began())
                .map(reported -> 2 * reported.nanos())
                .orElse(limit.toNanos());
        return step.nanos() >= after;
    }

    /**
     * Stack frames as text, for logs.
     *
     * @param stack the frames, innermost first
     * @return a line for each
     */
    public static String text(List<StackTraceElement> stack) {
        StringBuilder text = new StringBuilder();
        stack.forEach(frame -> text.append("\n    at ").append(frame));
        return text.toString();
    }

    /**
     * A duration as text, for logs.
     *
     * @param duration any
     * @return milliseconds below 10 s, otherwise whole seconds, each with the unit
     */
    public static String text(Duration duration) {
        return duration.compareTo(Duration.ofSeconds(10)) < 0
                ? TimeUnit.NANOSECONDS.toMillis(duration.toNanos()) + " ms"
                : duration.toSeconds() + " s";
    }
}

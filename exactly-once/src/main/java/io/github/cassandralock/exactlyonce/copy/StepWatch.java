package io.github.cassandralock.exactlyonce.copy;

import io.github.cassandralock.exactlyonce.time.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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

    /** Running copies, each with the looks at its steps. Guarded by this object. */
    private final Map<Copy<?>, Future<?>> looks = new HashMap<>();

    /** Guarded by this object. */
    private ScheduledExecutorService thread = thread();

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

    /** The executor has no thread before the first look. */
    private static ScheduledExecutorService thread() {
        return Executors.newSingleThreadScheduledExecutor(body -> {
            Thread created = new Thread(body, "exactly-once-steps");
            created.setDaemon(true);
            return created;
        });
    }

    /** Adds a copy, which runs from now on. */
    synchronized void enter(Copy<?> copy) {
        long wait = Math.min(limit.dividedBy(LOOKS_IN_A_LIMIT).toNanos(), LONGEST_WAIT.toNanos());
        looks.put(copy, thread.scheduleWithFixedDelay(new Look(copy), wait, wait, TimeUnit.NANOSECONDS));
    }

    /** Removes a copy, which no longer runs. The last one ends the thread. */
    synchronized void leave(Copy<?> copy) {
        Future<?> look = looks.remove(copy);
        if (look != null) {
            look.cancel(false);
        }
        if (looks.isEmpty()) {
            thread.shutdown();
            thread = thread();
        }
    }

    /** The looks at the steps of one copy. For the thread of the watch. */
    private final class Look implements Runnable {

        private final Copy<?> copy;
        private Optional<Reported> reported = Optional.empty();

        Look(Copy<?> copy) {
            this.copy = copy;
        }

        @Override
        public void run() {
            long now = ticker.readNanos();
            copy.stepBegan()
                    .map(began -> new Reported(began, now - began))
                    .filter(this::isToBeReported)
                    .ifPresent(this::report);
        }

        private boolean isToBeReported(Reported step) {
            long after = reported.filter(before -> before.began() == step.began())
                    .map(before -> 2 * before.nanos())
                    .orElse(limit.toNanos());
            return step.nanos() >= after;
        }

        private void report(Reported step) {
            reported = Optional.of(step);
            try {
                copy.reportOverdue();
            } catch (Throwable e) { // there may be no memory for a thread
                log.warn(
                        "A long step was not reported to listeners. The report comes again if the step takes twice as long",
                        e);
            }
        }
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

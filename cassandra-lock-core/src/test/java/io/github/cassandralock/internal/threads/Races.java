package io.github.cassandralock.internal.threads;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Repeats a scenario for a while. Its threads begin at almost the same instant, with small differences that vary.
 */
public final class Races {

    private static final Duration IN_EVERY_BUILD = Duration.ofSeconds(1);
    private static final Duration STANDSTILL = Duration.ofSeconds(30);
    private static final int SPINS_BEFORE_PARKING = 10_000;
    private static final int LONGEST_NUDGE = 11;

    private Races() {}

    /** How long a race lasts: {@code -Dthreads.seconds=600} makes it ten minutes. */
    public static Duration length(Duration inEveryBuild) {
        Long seconds = Long.getLong("threads.seconds");
        return seconds == null ? inEveryBuild : Duration.ofSeconds(seconds);
    }

    /**
     * Fails if the scenario throws, or does not end.
     *
     * @param scenario creates new objects at each repetition
     */
    public static void race(Consumer<Together> scenario) {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "race");
            thread.setDaemon(true);
            return thread;
        });
        try {
            long end = System.nanoTime() + length(IN_EVERY_BUILD).toNanos();
            while (System.nanoTime() - end < 0) {
                scenario.accept(tasks -> together(threads, tasks));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A check that costs very little, so that it does not delay the threads. */
    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static void together(ExecutorService threads, Runnable... tasks) {
        AtomicInteger missing = new AtomicInteger(tasks.length);
        List<Future<?>> running = new ArrayList<>();
        for (Runnable task : tasks) {
            running.add(threads.submit(() -> {
                meet(missing);
                nudge();
                task.run();
            }));
        }
        running.forEach(Races::join);
    }

    private static void meet(AtomicInteger missing) {
        missing.decrementAndGet();
        for (int spin = 0; missing.get() > 0; spin++) {
            if (spin < SPINS_BEFORE_PARKING) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(1_000);
            }
        }
    }

    /** Shorter ones more often. */
    private static void nudge() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int spin = random.nextInt(1 << random.nextInt(LONGEST_NUDGE)); spin > 0; spin--) {
            Thread.onSpinWait();
        }
    }

    private static void join(Future<?> thread) {
        try {
            thread.get(STANDSTILL.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("a thread of the scenario failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new AssertionError("a thread of the scenario came to a standstill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

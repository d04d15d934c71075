package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.processor.MachineThreads;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What runs before something counts, until the compilers of the nodes and of the contenders have hardly anything left to do: they
 * take processors from what is measured. Where the operating system does not show what they do, it lasts as long as it may.
 *
 * @param atMost for how long
 */
record LeadIn(Duration atMost) {

    /** Compilers work in bursts. */
    private static final Duration WINDOW = Duration.ofSeconds(5);

    /** Quiet compilers have less than this part of one processor. */
    private static final double QUIET = 1 / 12.0;

    /** What is repeated or goes on meanwhile. */
    interface Work<E extends Exception> {

        /** Returns after this time, or somewhat later. */
        void goOn(Duration time) throws E;
    }

    /** Waits while the work goes on by itself; returns whether the compilers are quiet. */
    boolean await() {
        return untilQuiet(LeadIn::sleep);
    }

    /** Repeats the work until the compilers are quiet, or until the time is over; returns which. */
    <E extends Exception> boolean untilQuiet(Work<E> work) throws E {
        long startedAt = System.nanoTime();
        MachineThreads before = MachineThreads.now();
        while (System.nanoTime() - startedAt < atMost.toNanos()) {
            work.goOn(WINDOW);
            MachineThreads now = MachineThreads.now();
            if (now.compilersSince(before) < QUIET) {
                return true;
            }
            before = now;
        }
        return false;
    }

    /** @throws IllegalStateException if the thread is interrupted */
    static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted", e);
        }
    }
}

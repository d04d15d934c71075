package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.worker.Work;
import io.github.cassandralock.benchmarks.worker.Workers;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * What runs before it counts, until the compilers of the nodes and of the contenders have hardly anything left to do: code is
 * several times quicker then, and they no longer take processors from it. Where the operating system does not tell what they do,
 * it runs for as long as it may.
 *
 * @param atMost for how long
 */
record WarmUp(Duration atMost) {

    private static final int ACQUISITIONS = 20;

    /** Shorter times tell little: compilers work in bursts. */
    private static final Duration WINDOW = Duration.ofSeconds(15);

    /** Quiet is who uses less than one part of so many of one processor's time. */
    private static final int QUIET = 12;

    /** What is repeated. */
    interface Round<E extends Exception> {

        void run() throws E;
    }

    /** Lets one process and so many processes take turns. */
    void run(Workers workers, Algorithm algorithm, int mostProcesses) {
        untilQuiet(() -> {
            for (int processes : List.of(mostProcesses, 1)) {
                workers.take(processes, algorithm, Work.onOneLock("warm-up", ACQUISITIONS));
            }
        });
    }

    /** Repeats the work until the compilers are quiet, or until the time is over. */
    <E extends Exception> void untilQuiet(Round<E> work) throws E {
        CompilerClock compilers = new CompilerClock();
        long startedAt = System.nanoTime();
        long windowAt = startedAt;
        OptionalLong before = compilers.nanos();
        while (System.nanoTime() - startedAt < atMost.toNanos()) {
            work.run();
            long window = System.nanoTime() - windowAt;
            if (before.isPresent() && window >= WINDOW.toNanos()) {
                OptionalLong now = compilers.nanos();
                if (now.orElse(Long.MAX_VALUE) - before.getAsLong() < window / QUIET) {
                    return;
                }
                windowAt = System.nanoTime();
                before = now;
            }
        }
    }
}

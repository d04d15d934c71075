package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.worker.Work;
import io.github.cassandralock.benchmarks.worker.Workers;
import java.time.Duration;
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

    /** One lock alone is slow: methods would be called often enough to be compiled only after many minutes. */
    private static final int MANY_LOCKS = 2_000;

    private static final int MANY_THREADS = 8;

    /** How often many contenders take one lock in one round, all together. */
    private static final int MOST = 1_000;

    /** Shorter times tell little: compilers work in bursts. */
    private static final Duration WINDOW = Duration.ofSeconds(15);

    /** Quiet is who uses less than one part of so many of one processor's time. */
    private static final int QUIET = 12;

    /** What is repeated. */
    interface Round<E extends Exception> {

        void run() throws E;
    }

    /** Lets so many processes take turns: they contend for one lock, one is alone, and they take many locks at the same time. */
    void run(Workers workers, Algorithm algorithm, int mostProcesses) {
        Work oneLock = Work.onOneLock("warm-up", ACQUISITIONS);
        Work manyLocks = Work.onOneLock("warm-up-many", ACQUISITIONS)
                .withLocks(MANY_LOCKS)
                .withThreads(MANY_THREADS);
        untilQuiet(() -> {
            workers.take(mostProcesses, algorithm, oneLock);
            workers.take(1, algorithm, oneLock);
            workers.take(mostProcesses, algorithm, manyLocks);
        });
    }

    /** Lets several contenders of each process contend for one lock. */
    void run(Workers workers, Algorithm algorithm, Contenders contenders) {
        Work oneLock = Work.onOneLock("warm-up-" + contenders.count(), Math.max(1, MOST / contenders.count()))
                .withContenders(contenders.each());
        untilQuiet(() -> workers.take(contenders.processes(), algorithm, oneLock));
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

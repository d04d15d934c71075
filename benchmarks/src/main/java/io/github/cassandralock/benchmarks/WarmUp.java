package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.worker.Work;
import io.github.cassandralock.benchmarks.worker.Workers;
import java.time.Duration;
import java.util.List;

/**
 * What runs before it counts. What makes code quick is how often it has run: the quick need less time, and for the slow it is
 * not worth more.
 *
 * @param atMost for how long
 */
record WarmUp(Duration atMost) {

    private static final int ACQUISITIONS = 20;
    private static final int ENOUGH = 25_000;

    /** Lets one process and so many processes take turns. */
    void run(Workers workers, Algorithm algorithm, int mostProcesses) {
        long startedAt = System.nanoTime();
        int acquired = 0;
        while (acquired < ENOUGH && System.nanoTime() - startedAt < atMost.toNanos()) {
            for (int processes : List.of(mostProcesses, 1)) {
                workers.take(processes, algorithm, Work.onOneLock("warm-up", ACQUISITIONS));
                acquired += processes * ACQUISITIONS;
            }
        }
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.worker.Work;
import io.github.cassandralock.benchmarks.worker.Workers;
import java.time.Duration;

/**
 * What runs before anything counts, until the rate has stopped rising: nodes get quicker for many minutes.
 *
 * @param atMost for how long, for each algorithm at each point
 */
record WarmUp(Duration atMost) {

    private static final Duration WINDOW = Duration.ofSeconds(30);

    /** One lock alone is slow: methods would be called often enough to be compiled only after many minutes. */
    private static final int MANY_LOCKS = 2_000;

    private static final int MANY_THREADS = 8;

    private static final int PART_FOR_MANY_LOCKS = 4;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Many locks at the same time, until the compilers are quiet or a part of the time is over. */
    void withManyLocks(Workers workers, Algorithm algorithm, int processes) {
        if (!atMost.isZero()) {
            Work work =
                    Work.onOneLock("warm-up-" + algorithm).withLocks(MANY_LOCKS).withThreads(MANY_THREADS);
            workers.begin(processes, algorithm, work);
            new LeadIn(atMost.dividedBy(PART_FOR_MANY_LOCKS)).await();
            workers.end(processes, algorithm);
        }
    }

    /** Returns whether the rate has stopped rising in time. */
    boolean isEnough(Workers workers, Cell cell) {
        if (atMost.isZero()) {
            return false;
        }
        workers.begin(cell.processes(), cell.algorithm(), cell.work());
        boolean steady = isSteady(workers, cell);
        workers.end(cell.processes(), cell.algorithm());
        return steady;
    }

    private boolean isSteady(Workers workers, Cell cell) {
        Steadiness steadiness = new Steadiness();
        long startedAt = System.nanoTime();
        long windowAt = startedAt;
        long before = 0;
        while (windowAt - startedAt + WINDOW.toNanos() <= atMost.toNanos()) {
            LeadIn.sleep(WINDOW);
            long granted = workers.granted(cell.processes(), cell.algorithm());
            long now = System.nanoTime();
            if (steadiness.isReachedWith((granted - before) * NANOS_PER_SECOND / (now - windowAt))) {
                return true;
            }
            before = granted;
            windowAt = now;
        }
        return false;
    }
}

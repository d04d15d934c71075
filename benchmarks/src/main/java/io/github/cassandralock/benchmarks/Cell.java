package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.worker.Work;
import java.util.Map;

/**
 * What becomes a row: one algorithm at one point of an experiment.
 *
 * @param experiment which one
 * @param point what was varied, and how much of it there is, in the order of the columns
 * @param processes how many do the work
 */
record Cell(String experiment, Map<String, Long> point, Algorithm algorithm, int processes, Work work) {

    static final String CONTENDERS = "contenders";

    /** Contenders for one lock, who do nothing under it. The lock is one of its own. */
    static Cell of(String experiment, String title, Algorithm algorithm, Contenders contenders) {
        return new Cell(
                experiment,
                Map.of(title, (long) contenders.count()),
                algorithm,
                contenders.processes(),
                Work.onOneLock(experiment + "-" + algorithm + "-" + contenders.count())
                        .withContenders(contenders.each()));
    }

    /** As many contenders may hold the lock at the same time. */
    Cell withPermits(int permits) {
        return new Cell(experiment, point, algorithm, processes, work.withPermits(permits));
    }

    @Override
    public String toString() {
        return experiment + ", " + algorithm + ", " + point;
    }
}

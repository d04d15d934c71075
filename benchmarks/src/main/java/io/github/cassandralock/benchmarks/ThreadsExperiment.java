package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.worker.Work;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What most applications have: several processes with several threads each that want one lock. The threads of a process share
 * its client, and its ticket lock hands the lock from one to the other for as long as it does by default.
 *
 * @param algorithms whose locks
 * @param processes how many
 * @param threads one or several numbers of threads of each process
 */
record ThreadsExperiment(SeriesOptions options, List<Algorithm> algorithms, int processes, List<Integer> threads)
        implements Experiment {

    private static final String NAME = "threads";

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<Cell> cells = threads.stream()
                .flatMap(each -> algorithms.stream().map(algorithm -> cell(algorithm, each)))
                .toList();
        return new Series(cells, options).outcome(environment, report);
    }

    private Cell cell(Algorithm algorithm, int each) {
        Work work = Work.onOneLock(NAME + "-" + algorithm + "-" + each).withThreads(each);
        return new Cell(NAME, Map.of("threads of each process", (long) each), algorithm, processes, work);
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.report.ResultTables;
import io.github.cassandralock.benchmarks.worker.Workers;
import java.io.IOException;
import java.util.List;

/**
 * The ticket lock in one cluster beside the same in a majority of three, to which that cluster belongs. Operations are counted
 * over all clusters.
 *
 * @param contenders one or several numbers of them
 * @param acquisitions of each of them
 */
record MajorityExperiment(SeriesOptions options, List<Contenders> contenders, int acquisitions) implements Experiment {

    private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.TICKET, Algorithm.MAJORITY);

    /** So that the figures of one contender are made of as many locks as those of five. */
    private static final int MORE_IF_ALONE = 5;

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        Series series = new Series("majority", ALGORITHMS, contenders, this::ofEach, options);
        environment.startServersOf(ALGORITHMS);
        try (Workers workers = Environment.workers(series.mostProcesses(), report.directory())) {
            series.run(workers, environment);
        } finally {
            environment.endServers();
        }
        return new Outcome(
                series.results(), List.of(ResultTables.all("A majority of three clusters", series.results())));
    }

    private int ofEach(Contenders some) {
        return some.count() == 1 ? acquisitions * MORE_IF_ALONE : acquisitions;
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.report.Report;
import java.io.IOException;
import java.util.List;

/**
 * The ticket lock in one cluster beside the same in a majority of three, to which that cluster belongs. Operations are counted
 * over all clusters.
 *
 * @param contenders one or several numbers of them
 */
record MajorityExperiment(SeriesOptions options, List<Contenders> contenders) implements Experiment {

    private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.TICKET, Algorithm.MAJORITY);

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<Cell> cells = contenders.stream()
                .flatMap(some ->
                        ALGORITHMS.stream().map(algorithm -> Cell.of("majority", Cell.CONTENDERS, algorithm, some)))
                .toList();
        return new Series(cells, options).outcome(environment, report);
    }
}

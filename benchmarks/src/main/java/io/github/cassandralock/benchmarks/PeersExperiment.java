package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.report.Report;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The ticket lock and the locks of others, side by side.
 *
 * @param peers the others
 * @param contenders one or several numbers of them; those without a queue are measured with one in each process only
 */
record PeersExperiment(SeriesOptions options, List<Algorithm> peers, List<Contenders> contenders)
        implements Experiment {

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<Algorithm> algorithms = besideTheTicketLock(peers);
        List<Cell> cells = contenders.stream()
                .flatMap(some -> algorithms.stream()
                        .filter(algorithm -> some.each() == 1 || algorithm.hasQueue())
                        .map(algorithm -> Cell.of("peers", Cell.CONTENDERS, algorithm, some)))
                .toList();
        return new Series(cells, options).outcome(environment, report);
    }

    /** The ticket lock with notices and without, and those of the others whose servers are installed. */
    static List<Algorithm> besideTheTicketLock(List<Algorithm> peers) {
        return Stream.concat(ScalingExperiment.BOTH.stream(), Peers.installed(peers))
                .distinct()
                .toList();
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.report.ResultTables;
import io.github.cassandralock.benchmarks.worker.Workers;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The ticket lock and the locks of others, side by side.
 *
 * @param peers the others
 * @param contenders one or several numbers of them
 * @param acquisitions of each process; its contenders share them
 */
record PeersExperiment(SeriesOptions options, List<Algorithm> peers, List<Contenders> contenders, int acquisitions)
        implements Experiment {

    /** A process that is alone takes the lock more often, since some locks are kept: then the first ones take the longest. */
    private static final int MORE_IF_ALONE = 20;

    /** In a turn in which each takes the lock only a few times, what counts most is that all begin in the same instant. */
    private static final int FEWEST_OF_EACH = 10;

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<Algorithm> algorithms = Stream.concat(
                        Stream.of(Algorithm.TICKET, Algorithm.TICKET_NOTICES), Peers.installed(peers))
                .distinct()
                .toList();
        Series series = new Series("peers", algorithms, contenders, this::ofEach, options);
        environment.startServersOf(algorithms);
        try (Workers workers = Environment.workers(series.mostProcesses(), report.directory())) {
            series.run(workers, environment);
        } finally {
            environment.endServers();
        }
        return new Outcome(series.results(), List.of(ResultTables.all("Peers", series.results())));
    }

    private int ofEach(Contenders some) {
        if (some.count() == 1) {
            return acquisitions * MORE_IF_ALONE;
        }
        return some.each() == 1 ? acquisitions : Math.max(FEWEST_OF_EACH * options.turns(), acquisitions / some.each());
    }
}

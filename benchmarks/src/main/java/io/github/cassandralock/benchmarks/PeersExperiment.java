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
 * @param processes one or several numbers of processes
 * @param acquisitions of each process
 */
record PeersExperiment(SeriesOptions options, List<Algorithm> peers, List<Integer> processes, int acquisitions)
        implements Experiment {

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<Algorithm> algorithms = Stream.concat(Stream.of(Algorithm.TICKET, Algorithm.TICKET_NOTICES), installed())
                .distinct()
                .toList();
        Series series = new Series("peers", algorithms, processes, acquisitions, options);
        environment.startServersOf(algorithms);
        try (Workers workers = Environment.workers(series.mostProcesses(), report.directory())) {
            series.run(workers, environment);
        } finally {
            environment.endServers();
        }
        return new Outcome(series.results(), List.of(ResultTables.all("Peers", series.results())));
    }

    private Stream<Algorithm> installed() {
        return peers.stream()
                .filter(algorithm -> algorithm
                        .peer()
                        .map(peer -> {
                            if (!peer.isInstalled()) {
                                System.err.println(
                                        algorithm + " is left out: its server is not installed. Install the package "
                                                + peer.debianPackage() + " and run this again.");
                            }
                            return peer.isInstalled();
                        })
                        .orElse(true));
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "bookkeeping",
        mixinStandardHelpOptions = true,
        description = "What it costs to count requests: one process takes a lock with each algorithm, and another one"
                + " does the same without counting.")
final class BookkeepingCommand extends ExperimentCommand {

    @Option(
            names = "--with",
            split = "\\s*,\\s*",
            description =
                    "Which locks: ticket, ticket-notices, shedlock, lwt, jdbc, redisson, curator, etcd (default: all)")
    private List<Algorithm> algorithms = Stream.concat(ScalingExperiment.BOTH.stream(), Algorithm.peers().stream())
            .toList();

    @Option(
            names = "--planted",
            description = "Each client that counts sleeps for a millisecond before it takes a lock: the report has to"
                    + " show this")
    private boolean planted;

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(
                new BookkeepingExperiment(options, Peers.installed(algorithms).toList(), planted));
    }
}

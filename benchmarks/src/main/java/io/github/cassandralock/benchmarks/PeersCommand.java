package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        description =
                "The same work with the locks of others, in the same run. Their servers are taken from the operating"
                        + " system's packages; those that are not installed are named and left out.")
final class PeersCommand extends ExperimentCommand {

    @Option(
            names = "--with",
            split = "\\s*,\\s*",
            description = "Which of them: shedlock, lwt, jdbc, redisson, curator, etcd (default: all)")
    private List<Algorithm> peers = Algorithm.peers();

    @Option(
            names = "--processes",
            converter = AtLeastOne.class,
            split = ",",
            defaultValue = "1,5",
            description = "Numbers of processes (default: ${DEFAULT-VALUE})")
    private List<Integer> processes = List.of(1, 5);

    @Option(
            names = "--acquisitions",
            converter = AtLeastOne.class,
            defaultValue = "300",
            description = "How often each process takes the lock (default: ${DEFAULT-VALUE})")
    private int acquisitions = 300;

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new PeersExperiment(options, peers, processes, acquisitions));
    }
}

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

    static final List<Contenders> DEFAULT =
            List.of(1, 5, 25, 100).stream().map(Contenders::of).toList();

    @Option(
            names = "--with",
            split = "\\s*,\\s*",
            description = "Which of them: shedlock, lwt, jdbc, redisson, curator, etcd (default: all)")
    private List<Algorithm> peers = Algorithm.peers();

    @Option(
            names = "--contenders",
            converter = ContendersOption.class,
            split = ",",
            defaultValue = "1,5,25,100",
            description =
                    "Numbers of contenders: up to five are a process each, and more are shared out to five processes,"
                            + " with locks that have a queue (default: ${DEFAULT-VALUE})")
    private List<Contenders> contenders = DEFAULT;

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new PeersExperiment(options, peers, contenders));
    }
}

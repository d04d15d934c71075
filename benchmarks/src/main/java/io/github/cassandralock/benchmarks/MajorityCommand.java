package io.github.cassandralock.benchmarks;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "majority",
        mixinStandardHelpOptions = true,
        description =
                "What a lock in a majority of three clusters costs beside a ticket lock in one of them, in the same"
                        + " run.")
final class MajorityCommand extends ExperimentCommand {

    /** Three clusters of three nodes would need more memory and processors than one machine has for them. */
    private static final int NODES_OF_EACH = 1;

    @Option(
            names = "--contenders",
            converter = ContendersOption.class,
            split = ",",
            defaultValue = "1,5",
            description =
                    "Numbers of contenders: up to five are a process each, and more are shared out to five processes"
                            + " (default: ${DEFAULT-VALUE})")
    private List<Contenders> contenders = Stream.of(1, 5).map(Contenders::of).toList();

    MajorityCommand() {
        super(new SeriesOptions(NODES_OF_EACH));
    }

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new MajorityExperiment(options, contenders));
    }
}

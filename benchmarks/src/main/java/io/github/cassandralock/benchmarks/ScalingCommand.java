package io.github.cassandralock.benchmarks;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "scaling",
        mixinStandardHelpOptions = true,
        description =
                "What becomes of the ticket lock as contenders, locks, threads, held locks and work under the lock"
                        + " grow, and of the thesis's queue as threads grow.")
final class ScalingCommand extends ExperimentCommand {

    @Option(
            names = "--growing",
            split = "\\s*,\\s*",
            description = "What is to grow: ${COMPLETION-CANDIDATES} (default: all)")
    private Set<ScalingExperiment.Growing> growing = EnumSet.allOf(ScalingExperiment.Growing.class);

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new ScalingExperiment(options, growing));
    }
}

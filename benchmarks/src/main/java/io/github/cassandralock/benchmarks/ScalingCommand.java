package io.github.cassandralock.benchmarks;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "scaling",
        mixinStandardHelpOptions = true,
        description =
                "What becomes of the ticket lock as contenders, locks, threads, held locks and work under the lock"
                        + " grow.")
final class ScalingCommand extends ExperimentCommand {

    @Option(
            names = "--acquisitions",
            converter = AtLeastOne.class,
            defaultValue = "600",
            description = "How many at each point, all processes together (default: ${DEFAULT-VALUE})")
    private int acquisitions = 600;

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new ScalingExperiment(options, ScalingExperiment.BOTH, acquisitions));
    }
}

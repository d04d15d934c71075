package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.util.EnumSet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "all",
        mixinStandardHelpOptions = true,
        description = "Everything that docs/performance.md shows but for crowd and majority, in one run.")
final class AllCommand extends ExperimentCommand {

    private static final int SCALING_ACQUISITIONS = 600;

    @Option(
            names = "--acquisitions",
            converter = AtLeastOne.class,
            defaultValue = "300",
            description =
                    "How often each process takes the lock, in the thesis's experiment and with the peers (default:"
                            + " ${DEFAULT-VALUE})")
    private int acquisitions = 300;

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(
                new ThesisExperiment(options, List.of(1, 3, 5), acquisitions),
                new ScalingExperiment(options, EnumSet.allOf(ScalingExperiment.Growing.class), SCALING_ACQUISITIONS),
                new PeersExperiment(options, Algorithm.peers(), PeersCommand.DEFAULT, acquisitions),
                ReadersCommand.usual(options, acquisitions),
                new DistanceExperiment(options, DistanceCommand.DEFAULT, DistanceCommand.HAND_OVERS),
                new AnatomyExperiment(options),
                new CostExperiment(options));
    }
}

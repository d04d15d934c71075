package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.util.EnumSet;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "all",
        mixinStandardHelpOptions = true,
        description = "Everything that docs/performance.md shows but for crowd and majority, in one run.")
final class AllCommand extends ExperimentCommand {

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(
                new ThesisExperiment(options, List.of(1, 3, 5), ThesisCommand.ACQUISITIONS),
                new ScalingExperiment(options, EnumSet.allOf(ScalingExperiment.Growing.class)),
                new PeersExperiment(options, Algorithm.peers(), PeersCommand.DEFAULT),
                ThreadsCommand.usual(options),
                new ReadersCommand().experiment(options),
                new PermitsCommand().experiment(options),
                new DistanceExperiment(options, DistanceCommand.DEFAULT, DistanceCommand.HAND_OVERS),
                new AnatomyExperiment(options),
                new CostExperiment(options));
    }
}

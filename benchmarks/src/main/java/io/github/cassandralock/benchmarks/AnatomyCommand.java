package io.github.cassandralock.benchmarks;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "anatomy",
        mixinStandardHelpOptions = true,
        description = "Where the time of one uncontended lock and unlock goes, beside the same number of bare quorum"
                + " operations.")
final class AnatomyCommand extends ExperimentCommand {

    @Mixin
    private SeriesOptions options = new SeriesOptions();

    @Override
    List<Experiment> experiments() {
        return List.of(new AnatomyExperiment(options));
    }
}

package io.github.cassandralock.benchmarks;

import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "anatomy",
        mixinStandardHelpOptions = true,
        description = "Where the time of one uncontended lock and unlock goes, beside the same number of bare quorum"
                + " operations.")
final class AnatomyCommand extends ExperimentCommand {

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new AnatomyExperiment(options));
    }
}

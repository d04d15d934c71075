package io.github.cassandralock.benchmarks;

import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "costs",
        mixinStandardHelpOptions = true,
        description =
                "How much computing time each kind of operation of the ticket lock costs the nodes and the client.")
final class CostCommand extends ExperimentCommand {

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new CostExperiment(options));
    }
}

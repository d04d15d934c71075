package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.Experiment.Outcome;
import io.github.cassandralock.benchmarks.report.Report;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;

/** A command that runs experiments, on the same nodes one after the other, and leaves a report. */
abstract class ExperimentCommand extends ReportCommand {

    @Mixin
    private final SeriesOptions options;

    ExperimentCommand() {
        this(new SeriesOptions());
    }

    /** @param options with values for what the command line leaves out */
    ExperimentCommand(SeriesOptions options) {
        this.options = options;
    }

    abstract List<Experiment> experiments(SeriesOptions options);

    @Override
    final void measure(Report report) throws Exception {
        List<Outcome> outcomes = new ArrayList<>();
        try (Environment environment = Environment.start(options.nodes())) {
            for (Experiment experiment : experiments(options)) {
                outcomes.add(experiment.run(environment, report));
                write(report, outcomes);
            }
        }
    }

    /** After each experiment: should a later one fail, the earlier ones' results are there. */
    private static void write(Report report, List<Outcome> outcomes) throws Exception {
        report.json(
                "results.json",
                outcomes.stream().flatMap(outcome -> outcome.results().stream()).toList());
        report.tables(
                outcomes.stream().flatMap(outcome -> outcome.tables().stream()).toList());
    }
}

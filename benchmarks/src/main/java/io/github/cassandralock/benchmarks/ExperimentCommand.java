package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.Experiment.Outcome;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.report.ThisRun;
import io.github.cassandralock.testing.results.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that runs experiments, on the same nodes one after the other, once for each fresh start, and leaves a report. */
abstract class ExperimentCommand extends ReportCommand {

    @Mixin
    private final SeriesOptions options;

    @Spec
    private @Nullable CommandSpec spec;

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
        for (int start = 0; start < options.starts(); start++) {
            start(report);
        }
    }

    private List<String> arguments() {
        return Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs();
    }

    private void start(Report report) throws Exception {
        Report start = report.nextStart();
        Run run = ThisRun.begins(options.layout().description(), arguments(), options.notes());
        List<Outcome> outcomes = new ArrayList<>();
        try (Environment environment = Environment.start(options.nodes(), options.layout())) {
            for (Experiment experiment : experiments(options)) {
                outcomes.add(experiment.run(environment, start));
                write(report, start, run, outcomes);
            }
        }
    }

    /** After each experiment: should a later one fail, the earlier ones' results are there. */
    private static void write(Report report, Report start, Run run, List<Outcome> outcomes) throws Exception {
        run.with(outcomes.stream()
                        .flatMap(outcome -> outcome.results().stream())
                        .toList())
                .write(start.directory());
        start.tables(
                outcomes.stream().flatMap(outcome -> outcome.tables().stream()).toList());
        report.resultTables();
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.report.Report;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A command that measures something, and leaves a report. */
abstract class ReportCommand implements Callable<Integer> {

    @Option(
            names = "--out",
            defaultValue = "benchmark-report",
            description = "The report's directory (default: ${DEFAULT-VALUE})")
    private Path out = Path.of("benchmark-report");

    abstract void measure(Report report) throws Exception;

    @Override
    public final Integer call() throws Exception {
        Report report = Report.into(out);
        measure(report);
        System.out.println("The report is in " + report.directory());
        return 0;
    }
}

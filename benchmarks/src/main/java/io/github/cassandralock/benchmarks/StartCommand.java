package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.processor.Layout;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.startup.ApplicationStarts;
import io.github.cassandralock.benchmarks.startup.ApplicationStarts.StartRow;
import io.github.cassandralock.testing.results.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Needs one Cassandra node. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = "How long an application takes to start, beside the same application with Spring Data Cassandra"
                + " alone: from the start of the JVM until it is ready. The tables exist.")
final class StartCommand extends ReportCommand {

    @Option(
            names = "--runs",
            converter = AtLeastOne.class,
            defaultValue = "5",
            description = "How often each is started, in turns; the report has medians (default: ${DEFAULT-VALUE})")
    private int runs = 5;

    @Option(
            names = "--warm-up",
            converter = AtLeastOne.class,
            defaultValue = "8",
            description = "How often each is started before that, so that the node is warm; the first start creates the"
                    + " tables (default: ${DEFAULT-VALUE})")
    private int warmUp = 8;

    @Override
    void measure(Report report) throws Exception {
        Path unpacked = Files.createTempDirectory("cassandra-lock-benchmarks-");
        try (Environment environment = Environment.start(1, Layout.SHARED)) {
            List<StartRow> rows = new ApplicationStarts(environment.cassandraAddress(), unpacked, report.directory())
                    .measure(warmUp, runs);
            report.json("start.json", rows);
            report.tablesOfThisRun(List.of(table(rows, runs)));
        } finally {
            FileSystemUtils.deleteRecursively(unpacked);
        }
    }

    private static Table table(List<StartRow> rows, int runs) {
        return new Table(
                "From the start of the JVM until the application is ready, medians of " + runs,
                List.of(
                        "application",
                        "median ms",
                        "fastest ms",
                        "slowest ms",
                        "computing ms",
                        "beans",
                        "ratio to alone"),
                rows.stream()
                        .map(row -> List.of(
                                row.application(),
                                Table.number(row.medianMs()),
                                Table.number(row.fastestMs()),
                                Table.number(row.slowestMs()),
                                Table.number(row.cpuMs()),
                                Table.count(row.beans()),
                                String.format(Locale.ROOT, "%.2f", row.ratio())))
                        .toList());
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.limits.LimitRow;
import io.github.cassandralock.benchmarks.limits.Limits;
import io.github.cassandralock.benchmarks.processor.Layout;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.report.SoakSample;
import io.github.cassandralock.testing.results.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Needs one Cassandra node, and four hours with the default sizes. */
@Command(
        name = "limits",
        mixinStandardHelpOptions = true,
        description = "What much of everything costs. Each measurement has processes of its own; 0 leaves it out.")
final class LimitsCommand extends ReportCommand {

    private static final int SOAKING_PROCESSES = 2;

    @Option(
            names = "--held",
            split = ",",
            defaultValue = "10000,100000",
            description = "Locks that one process holds (default: ${DEFAULT-VALUE})")
    private List<Integer> held = List.of(10_000, 100_000);

    @Option(
            names = "--waiters",
            split = ",",
            defaultValue = "500,5000",
            description = "Calls that wait for one lock (default: ${DEFAULT-VALUE})")
    private List<Integer> waiters = List.of(500, 5_000);

    @Option(
            names = "--together",
            split = ",",
            defaultValue = "100,1000",
            description = "Locks of one call (default: ${DEFAULT-VALUE})")
    private List<Integer> together = List.of(100, 1_000);

    @Option(
            names = "--sessions",
            split = ",",
            defaultValue = "20,200",
            description = "Sessions that take one lock in turns (default: ${DEFAULT-VALUE})")
    private List<Integer> sessions = List.of(20, 200);

    @Option(
            names = "--processes",
            converter = AtLeastOne.class,
            defaultValue = "20",
            description = "Into how many processes waiters and sessions are divided (default: ${DEFAULT-VALUE})")
    private int processes = 20;

    @Option(
            names = "--count",
            defaultValue = "PT1M",
            description = "For how long statements are counted (default: ${DEFAULT-VALUE})")
    private Duration count = Duration.ofMinutes(1);

    @Option(
            names = "--random",
            defaultValue = "PT1H",
            description = "For how long locks with random ids are taken at a steady rate (default: ${DEFAULT-VALUE})")
    private Duration random = Duration.ofHours(1);

    @Option(
            names = "--random-per-second",
            converter = AtLeastOne.class,
            defaultValue = "100",
            description = "Locks with random ids in a second (default: ${DEFAULT-VALUE})")
    private int randomPerSecond = 100;

    @Option(
            names = "--churn",
            defaultValue = "864000",
            description = "Locks with random ids at full speed: by default, as many as in 24 hours at ten a second"
                    + " (default: ${DEFAULT-VALUE})")
    private int churn = 864_000;

    @Option(
            names = "--soak",
            defaultValue = "PT2H",
            description = "For how long two processes do mixed work (default: ${DEFAULT-VALUE})")
    private Duration soak = Duration.ofHours(2);

    @Option(
            names = "--every",
            defaultValue = "PT30S",
            description = "How often heap and threads are recorded meanwhile (default: ${DEFAULT-VALUE})")
    private Duration every = Duration.ofSeconds(30);

    @Option(
            names = "--runs",
            converter = AtLeastOne.class,
            defaultValue = "3",
            description = "How often locks are taken in one call; the report has medians (default: ${DEFAULT-VALUE})")
    private int runs = 3;

    /** What measures one size. */
    private interface Measurement {

        List<LimitRow> of(int size) throws Exception;
    }

    @Override
    void measure(Report report) throws Exception {
        try (Environment environment = Environment.start(1, Layout.SHARED)) {
            Limits limits = new Limits(
                    environment.cassandraAddress(), Benchmarks.class, LimitsWorkerCommand.NAME, report.directory());
            limits.createTables();
            List<LimitRow> rows = new ArrayList<>();
            each(together, size -> limits.together(size, runs), rows, report);
            each(held, size -> limits.held(size, count), rows, report);
            each(waiters, size -> limits.waiters(size, Math.min(processes, size)), rows, report);
            each(sessions, size -> limits.sessions(size, Math.min(processes, size), count), rows, report);
            each(List.of(churn), size -> limits.randomIds(size, 0), rows, report);
            each(
                    List.of((int) random.toSeconds() * randomPerSecond),
                    size -> limits.randomIds(size, randomPerSecond),
                    rows,
                    report);
            if (!soak.isZero()) {
                List<SoakSample> samples = limits.soak(SOAKING_PROCESSES, soak, every);
                report.json(SoakSample.FILE, samples);
                SoakSample.draw(report, report);
                rows.addAll(Limits.ofSoak(samples, soak));
                write(rows, report);
            }
        }
    }

    private static void each(List<Integer> sizes, Measurement measurement, List<LimitRow> rows, Report report)
            throws Exception {
        for (int size : sizes) {
            if (size > 0) {
                rows.addAll(measurement.of(size));
                write(rows, report);
            }
        }
    }

    /** After each measurement: should a later one fail, the results of the earlier ones are there. */
    private static void write(List<LimitRow> rows, Report report) throws IOException {
        report.json("limits.json", rows);
        report.tables(List.of(new Table(
                "Limits",
                List.of("limit", "size", "figure", "value"),
                rows.stream()
                        .map(row ->
                                List.of(row.limit(), Table.count(row.size()), row.figure(), Table.number(row.value())))
                        .toList())));
    }
}

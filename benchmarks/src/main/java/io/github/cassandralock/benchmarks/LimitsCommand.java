package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.limits.LimitRow;
import io.github.cassandralock.benchmarks.limits.Limits;
import io.github.cassandralock.benchmarks.processor.Layout;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.report.SoakSample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Needs one Cassandra node, and four hours with the default sizes. */
@Command(
        name = "limits",
        mixinStandardHelpOptions = true,
        description =
                "What much of everything costs. Each measurement has processes of its own. The tables have all parts"
                        + " whose files are in the report's directory, those of earlier runs included.")
final class LimitsCommand extends ReportCommand {

    private static final int SOAKING_PROCESSES = 2;

    /** What can be measured alone, in the order of the tables. */
    enum Part {
        TOGETHER,
        HELD,
        WAITERS,
        SESSIONS,
        CHURN,
        RANDOM,
        SOAK;

        private String file() {
            return "limits-" + name().toLowerCase(Locale.ROOT) + ".json";
        }
    }

    @Option(
            names = "--parts",
            split = "\\s*,\\s*",
            description = "What is measured: ${COMPLETION-CANDIDATES} (default: all)")
    private Set<Part> parts = EnumSet.allOf(Part.class);

    @Option(
            names = "--held",
            converter = AtLeastOne.class,
            split = ",",
            defaultValue = "10000,100000",
            description = "Locks that one process holds (default: ${DEFAULT-VALUE})")
    private List<Integer> held = List.of(10_000, 100_000);

    @Option(
            names = "--waiters",
            converter = AtLeastOne.class,
            split = ",",
            defaultValue = "500,5000",
            description = "Calls that wait for one lock (default: ${DEFAULT-VALUE})")
    private List<Integer> waiters = List.of(500, 5_000);

    @Option(
            names = "--together",
            converter = AtLeastOne.class,
            split = ",",
            defaultValue = "100,1000",
            description = "Locks of one call (default: ${DEFAULT-VALUE})")
    private List<Integer> together = List.of(100, 1_000);

    @Option(
            names = "--sessions",
            converter = AtLeastOne.class,
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
            converter = AtLeastOne.class,
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
            for (Part part : parts) {
                measure(part, limits, report);
            }
        }
    }

    private void measure(Part part, Limits limits, Report report) throws Exception {
        switch (part) {
            case TOGETHER -> each(part, together, size -> limits.together(size, runs), report);
            case HELD -> each(part, held, size -> limits.held(size, count), report);
            case WAITERS -> each(part, waiters, size -> limits.waiters(size, processesOf(size), count), report);
            case SESSIONS -> each(part, sessions, size -> limits.sessions(size, processesOf(size), count), report);
            case CHURN -> each(part, List.of(churn), size -> limits.randomIds(size, 0), report);
            case RANDOM ->
                each(
                        part,
                        List.of((int) random.toSeconds() * randomPerSecond),
                        size -> limits.randomIds(size, randomPerSecond),
                        report);
            case SOAK -> soak(limits, report);
        }
    }

    private int processesOf(int size) {
        return Math.min(processes, size);
    }

    /** Writes the results after each size. If a later measurement fails, the earlier results are there. */
    private static void each(Part part, List<Integer> sizes, Measurement measurement, Report report) throws Exception {
        List<LimitRow> rows = new ArrayList<>();
        for (int size : sizes) {
            rows.addAll(measurement.of(size));
            write(part, rows, report);
        }
    }

    private void soak(Limits limits, Report report) throws Exception {
        limits.soak(SOAKING_PROCESSES, soak, every, samples -> report.json(SoakSample.FILE, samples));
        SoakSample.draw(report, report);
        write(Part.SOAK, Limits.ofSoak(report.rows(SoakSample.FILE, SoakSample[].class), soak), report);
    }

    private static void write(Part part, List<LimitRow> rows, Report report) throws IOException {
        report.json(part.file(), rows);
        List<LimitRow> all = new ArrayList<>();
        for (Part each : Part.values()) {
            all.addAll(report.rows(each.file(), LimitRow[].class));
        }
        report.tables(LimitRow.tables(all));
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.gap.LongestGaps;
import io.github.cassandralock.benchmarks.gap.LongestGaps.Gap;
import io.github.cassandralock.benchmarks.processor.Layout;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.server.Peer;
import io.github.cassandralock.benchmarks.server.PeerServer;
import io.github.cassandralock.testing.results.Table;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Needs PostgreSQL and one Cassandra node. */
@Command(
        name = "gap",
        mixinStandardHelpOptions = true,
        description =
                "The longest time without an output when one of two copies of a handler is killed, beside one worker"
                        + " under a lock, in the same run.")
final class GapCommand extends ReportCommand {

    @Option(
            names = "--runs",
            converter = AtLeastOne.class,
            defaultValue = "3",
            description = "How often each is measured; the report has medians (default: ${DEFAULT-VALUE})")
    private int runs = 3;

    @Override
    void measure(Report report) throws Exception {
        try (PeerServer postgres = PeerServer.start(Peer.POSTGRES);
                Environment environment = Environment.start(1, Layout.SHARED);
                LongestGaps gaps = new LongestGaps(
                        environment.cassandraAddress(),
                        postgres.address(),
                        Benchmarks.class,
                        List.of(GapWorkerCommand.NAME),
                        report.directory())) {
            List<Gap> rows = gaps.measure(runs);
            report.json("gap.json", rows);
            report.tablesOfThisRun(List.of(table(rows)));
        }
    }

    private static Table table(List<Gap> rows) {
        return new Table(
                "Longest time without an output",
                List.of("what happens", "median ms", "longest ms"),
                rows.stream()
                        .map(row -> List.of(
                                row.event().name(), Table.number(row.medianMs()), Table.number(row.longestMs())))
                        .toList());
    }
}

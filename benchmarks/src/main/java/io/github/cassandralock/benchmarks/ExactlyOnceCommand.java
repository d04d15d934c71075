package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.outbox.Comparison;
import io.github.cassandralock.benchmarks.outbox.Throughput;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.report.Table;
import io.github.cassandralock.benchmarks.server.Peer;
import io.github.cassandralock.benchmarks.server.PeerServer;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Needs PostgreSQL, and no Cassandra. */
@Command(
        name = "exactly-once",
        mixinStandardHelpOptions = true,
        description =
                "Messages that take effect once on one PostgreSQL: by a handler of the module exactly-once, and by a"
                        + " transactional outbox, in the same run.")
final class ExactlyOnceCommand extends ReportCommand {

    @Option(
            names = "--groups",
            converter = AtLeastOne.class,
            split = ",",
            defaultValue = "1,10,100,1000",
            description = "How many messages a group has (default: ${DEFAULT-VALUE})")
    private List<Integer> groups = List.of(1, 10, 100, 1_000);

    @Option(
            names = "--runs",
            converter = AtLeastOne.class,
            defaultValue = "3",
            description = "How often each is measured; the report has medians (default: ${DEFAULT-VALUE})")
    private int runs = 3;

    @Option(
            names = "--most-groups",
            converter = AtLeastOne.class,
            defaultValue = "2000",
            description = "How many groups one measurement has at most (default: ${DEFAULT-VALUE})")
    private int mostGroups = 2_000;

    @Override
    void measure(Report report) throws Exception {
        try (PeerServer postgres = PeerServer.start(Peer.POSTGRES)) {
            List<Throughput> rows = Comparison.measure(postgres.address(), groups, runs, mostGroups);
            report.json("exactly-once.json", rows);
            report.tables(List.of(table(rows)));
        }
    }

    private static Table table(List<Throughput> rows) {
        return new Table(
                "Exactly once beside a transactional outbox",
                List.of("group", "way", "messages", "messages/s", "requests/message", "commits/message"),
                rows.stream()
                        .map(row -> List.of(
                                Table.count(row.group()),
                                row.way(),
                                Table.count(row.messages()),
                                Table.number(row.messagesPerSecond()),
                                String.format(Locale.ROOT, "%.4f", row.requestsPerMessage()),
                                String.format(Locale.ROOT, "%.4f", row.commitsPerMessage())))
                        .toList());
    }
}

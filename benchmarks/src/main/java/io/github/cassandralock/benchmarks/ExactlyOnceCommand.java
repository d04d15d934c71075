package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.outbox.Comparison;
import io.github.cassandralock.benchmarks.outbox.Throughput;
import io.github.cassandralock.benchmarks.plain.PlainComparison;
import io.github.cassandralock.benchmarks.plain.PlainRow;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.server.Peer;
import io.github.cassandralock.benchmarks.server.PeerServer;
import io.github.cassandralock.testing.results.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Needs PostgreSQL, and no Cassandra. */
@Command(
        name = "exactly-once",
        mixinStandardHelpOptions = true,
        description =
                "Messages that take effect once on one PostgreSQL: by a handler of the module exactly-once and by a"
                        + " transactional outbox; by a method with @ExactlyOnce and by a consumer written by hand. In the same"
                        + " run.")
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
            defaultValue = "5000",
            description = "How many groups one measurement has at most (default: ${DEFAULT-VALUE})")
    private int mostGroups = 5_000;

    @Option(
            names = "--only-plain",
            description = "Measure the method with @ExactlyOnce and the consumer written by hand, and nothing else")
    private boolean onlyPlain;

    @Override
    void measure(Report report) throws Exception {
        try (PeerServer postgres = PeerServer.start(Peer.POSTGRES)) {
            List<Table> tables = new ArrayList<>();
            if (!onlyPlain) {
                List<Throughput> rows = Comparison.measure(postgres.address(), groups, runs, mostGroups);
                report.json("exactly-once.json", rows);
                tables.add(table(rows));
            }
            List<PlainRow> plain = PlainComparison.measure(postgres.address(), runs, mostGroups);
            report.json("exactly-once-plain.json", plain);
            tables.add(plainTable(plain));
            report.tablesOfThisRun(tables);
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

    private static Table plainTable(List<PlainRow> rows) {
        return new Table(
                "A method with @ExactlyOnce beside a consumer written by hand",
                List.of("group", "copies", "method, messages/s", "by hand, messages/s", "ratio", "ratio to one copy"),
                rows.stream()
                        .map(row -> List.of(
                                Table.count(row.group()),
                                Table.count(row.copies()),
                                Table.number(row.method()),
                                Table.number(row.byHand()),
                                String.format(Locale.ROOT, "%.2f", row.toHand()),
                                String.format(Locale.ROOT, "%.2f", row.toOneCopy())))
                        .toList());
    }
}

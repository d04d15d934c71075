package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.processor.Layout;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.waiting.WaitingOwners;
import io.github.cassandralock.benchmarks.waiting.WaitingOwners.InOrder;
import io.github.cassandralock.benchmarks.waiting.WaitingOwners.Waiting;
import io.github.cassandralock.testing.results.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Needs one Cassandra node. */
@Command(
        name = "waiting",
        mixinStandardHelpOptions = true,
        description =
                "What the search for deadlocks costs, beside the same without it: many owners that each hold a lock and"
                        + " wait for one more, in one process and in several; and owners that take locks in one order, of which none"
                        + " may be ended.")
final class WaitingCommand extends ReportCommand {

    private static final int PROCESSES_IN_ORDER = 5;

    @Option(
            names = "--owners",
            converter = AtLeastOne.class,
            defaultValue = "2000",
            description = "How many owners there are (default: ${DEFAULT-VALUE})")
    private int owners = 2_000;

    @Option(
            names = "--processes",
            split = ",",
            defaultValue = "1,5",
            description = "Into how many processes the owners are divided (default: ${DEFAULT-VALUE})")
    private List<Integer> processes = List.of(1, 5);

    @Option(
            names = "--time",
            defaultValue = "PT20S",
            description = "For how long all owners wait (default: ${DEFAULT-VALUE})")
    private Duration time = Duration.ofSeconds(20);

    @Option(
            names = "--runs",
            converter = AtLeastOne.class,
            defaultValue = "3",
            description =
                    "How often each is measured, with the search and without in turns; of each, the report has the run"
                            + " that took the median time (default: ${DEFAULT-VALUE})")
    private int runs = 3;

    @Option(
            names = "--in-order",
            defaultValue = "PT10M",
            description = "For how long owners take locks in one order (default: ${DEFAULT-VALUE})")
    private Duration inOrder = Duration.ofMinutes(10);

    @Option(
            names = "--owners-in-order",
            converter = AtLeastOne.class,
            defaultValue = "20",
            description = "How many owners each of five processes has then (default: ${DEFAULT-VALUE})")
    private int ownersInOrder = 20;

    @Override
    void measure(Report report) throws Exception {
        try (Environment environment = Environment.start(1, Layout.SHARED)) {
            WaitingOwners measured = new WaitingOwners(
                    environment.cassandraAddress(),
                    environment.nodePids().get(0),
                    Benchmarks.class,
                    OwnersWorkerCommand.NAME,
                    report.directory());
            List<Waiting> all = new ArrayList<>();
            List<Waiting> rows = new ArrayList<>();
            for (int some : processes) {
                List<Waiting> without = new ArrayList<>();
                List<Waiting> with = new ArrayList<>();
                for (int run = 0; run < runs; run++) {
                    without.add(measured.waiting(all.size() + 1, false, some, owners / some, time));
                    all.add(without.get(run));
                    with.add(measured.waiting(all.size() + 1, true, some, owners / some, time));
                    all.add(with.get(run));
                    report.json("waiting-runs.json", all);
                }
                rows.add(Waiting.median(without));
                rows.add(Waiting.median(with));
                report.json("waiting.json", rows);
            }
            List<InOrder> inOrderRows = inOrder.isZero()
                    ? List.of()
                    : List.of(measured.inOrder(PROCESSES_IN_ORDER, ownersInOrder, inOrder));
            report.json("in-order.json", inOrderRows);
            report.tablesOfThisRun(List.of(table(rows), inOrderTable(inOrderRows)));
        }
    }

    private static Table table(List<Waiting> rows) {
        return new Table(
                "Owners that hold a lock and wait for another one",
                List.of(
                        "processes",
                        "owners",
                        "search",
                        "writes of waits, a process and interval",
                        "reads of waits",
                        "reads of locks, a process and second",
                        "all served, s",
                        "victims",
                        "node before, MB",
                        "node after, MB"),
                rows.stream()
                        .map(row -> List.of(
                                Table.count(row.processes()),
                                Table.count(row.owners()),
                                row.search() ? "on" : "off",
                                Table.number(row.writesPerInterval()),
                                Table.number(row.readsPerInterval()),
                                Table.number(row.slotReadsPerSecond()),
                                Table.number(row.servedSeconds()),
                                Table.count(row.victims()),
                                Table.number(row.nodeMegabytesBefore()),
                                Table.number(row.nodeMegabytesAfter())))
                        .toList());
    }

    private static Table inOrderTable(List<InOrder> rows) {
        return new Table(
                "Owners that take locks in one order",
                List.of("processes", "owners", "s", "locks taken", "victims"),
                rows.stream()
                        .map(row -> List.of(
                                Table.count(row.processes()),
                                Table.count(row.owners()),
                                Table.number(row.seconds()),
                                Table.count(row.taken()),
                                Table.count(row.victims())))
                        .toList());
    }
}

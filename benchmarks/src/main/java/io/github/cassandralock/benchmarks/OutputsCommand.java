package io.github.cassandralock.benchmarks;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.outputs.HandlerSteps;
import io.github.cassandralock.benchmarks.outputs.OutputsRow;
import io.github.cassandralock.benchmarks.processor.Layout;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.testing.proxies.NodeProxies;
import io.github.cassandralock.testing.results.Table;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Needs no server besides Cassandra's node, which it starts. */
@Command(
        name = "outputs",
        mixinStandardHelpOptions = true,
        description = "Steps of a handler in Cassandra that writes several queues at the same time, in the same run.")
final class OutputsCommand extends ReportCommand {

    @Option(
            names = "--outputs",
            converter = AtLeastOne.class,
            split = ",",
            defaultValue = "1,2,4",
            description = "How many queues a step writes; the first is what others are compared with"
                    + " (default: ${DEFAULT-VALUE})")
    private List<Integer> outputs = List.of(1, 2, 4);

    @Option(
            names = "--one-way-millis",
            split = ",",
            defaultValue = "0,1",
            description = "How far the handler is from the node, in milliseconds (default: ${DEFAULT-VALUE})")
    private List<Long> oneWayMillis = List.of(0L, 1L);

    @Option(
            names = "--runs",
            converter = AtLeastOne.class,
            defaultValue = "3",
            description = "How often each is measured; the report has medians (default: ${DEFAULT-VALUE})")
    private int runs = 3;

    @Option(
            names = "--steps",
            converter = AtLeastOne.class,
            defaultValue = "2000",
            description = "How many steps one measurement has (default: ${DEFAULT-VALUE})")
    private int steps = 2_000;

    @Override
    void measure(Report report) throws Exception {
        try (Environment environment = Environment.start(1, Layout.SHARED)) {
            List<OutputsRow> rows = new ArrayList<>();
            for (long millis : oneWayMillis) {
                rows.addAll(millis == 0 ? near(environment) : far(environment, millis));
            }
            report.json("outputs.json", rows);
            report.tablesOfThisRun(List.of(table(rows)));
        }
    }

    private List<OutputsRow> near(Environment environment) throws InterruptedException {
        try (CqlSession session = environment.cassandraAddress().connect()) {
            return new HandlerSteps(session, 0, steps).measure(outputs, runs);
        }
    }

    /** Everything goes through a proxy that delays it. */
    private List<OutputsRow> far(Environment environment, long millis) throws InterruptedException {
        EventLoopGroup threads = new NioEventLoopGroup(1);
        try (NodeProxies proxies =
                        new NodeProxies(threads, environment.cassandraAddress().contactPoints());
                CqlSession session = CassandraAddress.connectThrough(proxies)) {
            proxies.delay(Duration.ofMillis(millis));
            return new HandlerSteps(session, millis, steps).measure(outputs, runs);
        } finally {
            threads.shutdownGracefully().syncUninterruptibly();
        }
    }

    private static Table table(List<OutputsRow> rows) {
        return new Table(
                "A step of a handler with several outputs",
                List.of("one way, ms", "outputs", "ms of a step", "ratio to the first"),
                rows.stream()
                        .map(row -> List.of(
                                Table.count(row.oneWayMillis()),
                                Table.count(row.outputs()),
                                Table.number(row.stepMs()),
                                String.format(Locale.ROOT, "%.2f", row.toOne())))
                        .toList());
    }
}

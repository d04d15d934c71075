package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.cost.OperationCost;
import io.github.cassandralock.benchmarks.cost.OperationCosts;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.testing.results.Table;
import java.time.Duration;
import java.util.List;

/** What an operation of each kind costs the nodes: the base of docs/capacity.md. */
record CostExperiment(SeriesOptions options) implements Experiment {

    private static final Duration TIME = Duration.ofSeconds(4);

    @Override
    public Outcome run(Environment environment, Report report) throws Exception {
        List<OperationCost> costs = OperationCosts.measure(
                environment.cassandraAddress(), environment.nodePids(), options.fixedWarmUp(), options.turns(), TIME);
        report.json("costs.json", costs);
        return new Outcome(List.of(), List.of(table(costs)));
    }

    private static Table table(List<OperationCost> costs) {
        return new Table(
                "Computing time for an operation",
                List.of("operation", "a second", "all nodes, ms", "client, ms", "client, bytes"),
                costs.stream()
                        .map(cost -> List.of(
                                cost.what(),
                                Table.number(cost.perSecond()),
                                Table.number(cost.nodesCpuMs()),
                                Table.number(cost.clientCpuMs()),
                                Table.number(cost.clientBytes())))
                        .toList());
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.anatomy.Anatomy;
import io.github.cassandralock.benchmarks.anatomy.Dissection;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.testing.results.Table;
import java.util.List;

/** Where the time of one lock goes. */
record AnatomyExperiment(SeriesOptions options) implements Experiment {

    @Override
    public Outcome run(Environment environment, Report report) throws Exception {
        List<Anatomy> anatomies = Dissection.run(environment.cassandraAddress(), options.fixedWarmUp());
        report.json("anatomy.json", anatomies);
        return new Outcome(List.of(), List.of(table(anatomies)));
    }

    private static Table table(List<Anatomy> anatomies) {
        return new Table(
                "One lock and unlock, without contention",
                List.of("what", "round trips", "mean ms", "p50 ms", "client", "coordinator", "replicas"),
                anatomies.stream()
                        .map(anatomy -> List.of(
                                anatomy.what(),
                                Table.number(anatomy.roundTrips()),
                                Table.number(anatomy.meanMs()),
                                Table.number(anatomy.p50Ms()),
                                Table.percent(anatomy.clientShare()),
                                Table.percent(anatomy.coordinatorShare()),
                                Table.percent(anatomy.replicaShare())))
                        .toList());
    }
}

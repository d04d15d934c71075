package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.testing.results.Result;
import io.github.cassandralock.testing.results.Table;
import java.util.List;

/** Something to be measured. */
interface Experiment {

    /**
     * Measures, and writes what it alone has to write.
     *
     * @return what belongs into {@code results.json}, and tables of what is in other files
     */
    Outcome run(Environment environment, Report report) throws Exception;

    /**
     * What several experiments put together.
     *
     * @param results rows of {@code results.json}
     * @param tables parts of {@code tables.md}
     */
    record Outcome(List<Result> results, List<Table> tables) {}
}

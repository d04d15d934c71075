package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.benchmarks.measurement.Result;
import io.github.cassandralock.testing.statistics.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What is made of rows of {@code results.json}. */
public final class ResultTables {

    private ResultTables() {}

    /** The thesis's layout: processes down, algorithms across, mean and maximum. */
    public static Table thesis(List<Result> results) {
        List<String> algorithms =
                results.stream().map(Result::algorithm).distinct().toList();
        List<String> head = new ArrayList<>(List.of("processes"));
        algorithms.forEach(algorithm -> head.add("mean, `" + algorithm + "`"));
        algorithms.forEach(algorithm -> head.add("max, `" + algorithm + "`"));
        List<List<String>> rows = new ArrayList<>();
        for (int processes : results.stream().map(Result::processes).distinct().toList()) {
            List<String> row = new ArrayList<>(List.of(Integer.toString(processes)));
            algorithms.forEach(algorithm -> row.add(millis(results, algorithm, processes, Figures::meanMs)));
            algorithms.forEach(algorithm -> row.add(millis(results, algorithm, processes, Figures::maxMs)));
            rows.add(row);
        }
        return new Table("Time to the lock", head, rows);
    }

    private static String millis(
            List<Result> results, String algorithm, int processes, ToDoubleFunction<Figures> figure) {
        return results.stream()
                .filter(result -> result.algorithm().equals(algorithm) && result.processes() == processes)
                .findFirst()
                .map(result -> Table.number(figure.applyAsDouble(result.figures())) + " ms")
                .orElse("");
    }

    /** All that was measured. */
    public static Table all(String title, List<Result> results) {
        List<String> head = new ArrayList<>(List.of("contenders", "algorithm"));
        head.addAll(figureNames());
        return new Table(
                title,
                head,
                results.stream()
                        .map(result -> {
                            List<String> row =
                                    new ArrayList<>(List.of(Integer.toString(result.contenders()), result.algorithm()));
                            row.addAll(figures(result.figures()));
                            return row;
                        })
                        .toList());
    }

    /** The heads of {@link #figures}. */
    static List<String> figureNames() {
        return List.of(
                "mean ms", "p50 ms", "p99 ms", "max ms", "locks/s", "operations/lock", "changed hands", "violations");
    }

    static List<String> figures(Figures figures) {
        return List.of(
                Table.number(figures.meanMs()),
                Table.number(figures.p50Ms()),
                Table.number(figures.p99Ms()),
                Table.number(figures.maxMs()),
                Table.number(figures.locksPerSecond()),
                Table.number(figures.dbOpsPerLock()),
                Table.percent(figures.changedHands()),
                Long.toString(figures.violations()));
    }
}

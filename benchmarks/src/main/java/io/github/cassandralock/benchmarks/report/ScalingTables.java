package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.benchmarks.measurement.KeepingResult;
import io.github.cassandralock.benchmarks.measurement.ScalingResult;
import java.util.ArrayList;
import java.util.List;

/** What is made of rows of {@code scaling.json} and {@code keeping.json}. */
public final class ScalingTables {

    private ScalingTables() {}

    /** A table for each experiment. */
    public static List<Table> of(List<ScalingResult> results) {
        return results.stream()
                .map(ScalingResult::experiment)
                .distinct()
                .map(experiment -> table(
                        experiment,
                        results.stream()
                                .filter(result -> result.experiment().equals(experiment))
                                .toList()))
                .toList();
    }

    private static Table table(String experiment, List<ScalingResult> results) {
        List<String> head = new ArrayList<>(List.of(experiment, "algorithm"));
        head.addAll(ResultTables.figureNames());
        head.add("hand-over ms");
        return new Table(
                "Growing: " + experiment,
                head,
                results.stream().map(ScalingTables::row).toList());
    }

    private static List<String> row(ScalingResult result) {
        List<String> row = new ArrayList<>(List.of(Table.count(result.at()), result.algorithm()));
        row.addAll(ResultTables.figures(result.figures()));
        row.add(Table.number(result.handOverMs()));
        return row;
    }

    public static Table keeping(List<KeepingResult> results) {
        return new Table(
                "Locks held all the while",
                List.of("locks held", "algorithm", "seconds", "requests sent meanwhile"),
                results.stream()
                        .map(result -> List.of(
                                Table.count(result.locks()),
                                result.algorithm(),
                                Long.toString(result.seconds()),
                                Long.toString(result.requests())))
                        .toList());
    }
}

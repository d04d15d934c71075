package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.benchmarks.measurement.ReadersResult;
import java.util.ArrayList;
import java.util.List;

/** What is made of rows of {@code readers.json}. */
public final class ReadersTable {

    private ReadersTable() {}

    /** A row for each result. */
    public static Table of(List<ReadersResult> results) {
        List<String> head = new ArrayList<>(List.of("contenders", "readers %", "algorithm"));
        head.addAll(ResultTables.figureNames());
        return new Table(
                "Readers and writers",
                head,
                results.stream().map(ReadersTable::row).toList());
    }

    private static List<String> row(ReadersResult result) {
        List<String> row = new ArrayList<>(
                List.of(Table.count(result.contenders()), Table.count(result.readers()), result.algorithm()));
        row.addAll(ResultTables.figures(result.figures()));
        return row;
    }
}

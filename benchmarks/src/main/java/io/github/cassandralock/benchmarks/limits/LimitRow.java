package io.github.cassandralock.benchmarks.limits;

import io.github.cassandralock.testing.results.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A row of the file of a limit.
 *
 * @param limit what there is much of
 * @param size how much of it
 * @param figure what was measured
 * @param value of the figure
 */
public record LimitRow(String limit, long size, String figure, double value) {

    /** A table for each limit, with a column for each size. */
    public static List<Table> tables(List<LimitRow> rows) {
        return rows.stream()
                .map(LimitRow::limit)
                .distinct()
                .map(limit -> table(
                        limit,
                        rows.stream().filter(row -> row.limit().equals(limit)).toList()))
                .toList();
    }

    private static Table table(String limit, List<LimitRow> rows) {
        List<Long> sizes = rows.stream().map(LimitRow::size).distinct().toList();
        List<String> head = new ArrayList<>(List.of("figure"));
        sizes.forEach(size -> head.add(Table.count(size)));
        return new Table(
                limit,
                head,
                rows.stream()
                        .map(LimitRow::figure)
                        .distinct()
                        .map(figure -> Stream.concat(
                                        Stream.of(figure), sizes.stream().map(size -> cell(rows, figure, size)))
                                .toList())
                        .toList());
    }

    private static String cell(List<LimitRow> rows, String figure, long size) {
        return rows.stream()
                .filter(row -> row.figure().equals(figure) && row.size() == size)
                .map(row -> Table.number(row.value()))
                .findFirst()
                .orElse("");
    }
}

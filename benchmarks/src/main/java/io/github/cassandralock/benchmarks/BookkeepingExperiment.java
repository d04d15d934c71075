package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.measurement.BookkeepingResult;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.worker.Bookkeeping;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.testing.results.Result;
import io.github.cassandralock.testing.results.Table;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the benchmark's own bookkeeping costs each algorithm: the rate of one process that counts its requests, beside that of
 * one that does not. Both take turns, so that other load on the machine affects both alike.
 *
 * @param planted whether a fault in the bookkeeping is planted
 */
record BookkeepingExperiment(SeriesOptions options, List<Algorithm> algorithms, boolean planted) implements Experiment {

    private static final Contenders ALONE = new Contenders(1, 1);

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        Bookkeeping usual = planted ? Bookkeeping.PLANTED : Bookkeeping.COUNTED;
        Series counting = series(usual);
        Series bare = series(Bookkeeping.NONE);
        environment.startServersOf(algorithms);
        try (Workers workers = workers(environment, report, usual);
                Workers workersOfBare = workers(environment, report, Bookkeeping.NONE)) {
            Series.runInTurns(environment, counting, workers, bare, workersOfBare);
        } finally {
            environment.endServers();
        }
        List<BookkeepingResult> rows = rows(counting.results(), bare.results());
        report.json("bookkeeping.json", rows);
        return new Outcome(
                Stream.of(counting, bare)
                        .flatMap(series -> series.results().stream())
                        .toList(),
                List.of(table(rows)));
    }

    private List<BookkeepingResult> rows(List<Result> counted, List<Result> bare) {
        return IntStream.range(0, counted.size())
                .mapToObj(row -> BookkeepingResult.of(counted.get(row), bare.get(row), planted))
                .toList();
    }

    private Series series(Bookkeeping bookkeeping) {
        return new Series(
                algorithms.stream()
                        .map(algorithm -> Cell.of(name(bookkeeping), Cell.CONTENDERS, algorithm, ALONE))
                        .toList(),
                options);
    }

    private static Workers workers(Environment environment, Report report, Bookkeeping bookkeeping) throws IOException {
        return environment.workers(
                ALONE.processes(), bookkeeping.environment(), report.directory().resolve(name(bookkeeping)));
    }

    private static String name(Bookkeeping bookkeeping) {
        return "bookkeeping-" + bookkeeping.name().toLowerCase(Locale.ROOT);
    }

    private static Table table(List<BookkeepingResult> rows) {
        return new Table(
                "What counting costs",
                List.of("algorithm", "locks/s", "locks/s without counting", "ratio", "counting is visible", "planted"),
                rows.stream()
                        .map(row -> List.of(
                                row.algorithm(),
                                Table.number(row.perSecond()),
                                Table.number(row.perSecondWithout()),
                                Table.number(row.ratio()),
                                row.visible() ? "yes" : "no",
                                row.planted() ? "yes" : "no"))
                        .toList());
    }
}

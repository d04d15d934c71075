package io.github.cassandralock.testing.results;

import io.github.cassandralock.testing.statistics.Figures;
import java.util.List;
import java.util.Map;

/** Rows that differ in what a test is about. */
final class Rows {

    static final String EXPERIMENT = "peers";

    private Rows() {}

    static Measured turn(double perSecond) {
        return new Measured(
                new Figures(2, 1, 5, 9, perSecond, 3, 1, 0), Double.NaN, new Usage(1.5, 0.5, 0.02, Double.NaN), true);
    }

    static Result row(String algorithm, double perSecond) {
        return row(5, algorithm, perSecond);
    }

    static Result row(long contenders, String algorithm, double perSecond) {
        return Result.of(EXPERIMENT, Map.of("contenders", contenders), algorithm, List.of(turn(perSecond)), true);
    }

    static Run run(Result... results) {
        return new Run(
                "2026-12-01",
                "abc",
                "2 processors",
                List.of("lock 1"),
                "shared",
                List.of("peers"),
                List.of(),
                List.of(results));
    }
}

package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.testing.results.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/** Locks a second with a line for each algorithm, over what was varied. */
final class RateFigure {

    private RateFigure() {}

    /** @param rows of one experiment, in which one thing was varied */
    static LineFigure of(List<Result> rows) {
        Result first = rows.get(0);
        String varied = first.point().keySet().iterator().next();
        LineFigure figure = new LineFigure("Locks a second, " + first.experiment(), varied, "locks/s");
        for (String algorithm : rows.stream().map(Result::algorithm).distinct().toList()) {
            TreeMap<Double, Double> line = new TreeMap<>();
            rows.stream()
                    .filter(row -> row.algorithm().equals(algorithm))
                    .forEach(row -> line.put(
                            Objects.requireNonNull(row.point().get(varied)).doubleValue(),
                            row.figures().locksPerSecond()));
            figure.add(algorithm, new ArrayList<>(line.keySet()), new ArrayList<>(line.values()));
        }
        return figure;
    }
}

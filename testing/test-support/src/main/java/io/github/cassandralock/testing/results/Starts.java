package io.github.cassandralock.testing.results;

import io.github.cassandralock.testing.statistics.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Several fresh starts of one command. The slowest of them counts.
 *
 * @param runs one for each start, one at least
 */
record Starts(List<Run> runs) {

    Starts {
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("There is no start");
        }
    }

    private Stream<Result> all() {
        return runs.stream().flatMap(run -> run.results().stream());
    }

    List<String> experiments() {
        return all().map(Result::experiment).distinct().toList();
    }

    /** One row for all starts: that of the slowest one, with the lowest and the highest turn and the violations of all. */
    List<Result> slowest(String experiment) {
        List<Result> rows = new ArrayList<>();
        for (Result row :
                all().filter(row -> row.experiment().equals(experiment)).toList()) {
            if (rows.stream().noneMatch(row::isOfSameRow)) {
                rows.add(slowest(row));
            }
        }
        return rows;
    }

    private Result slowest(Result which) {
        List<Result> same = all().filter(which::isOfSameRow).toList();
        Result slowest =
                same.stream().min(Comparator.comparingDouble(Result::rate)).orElseThrow();
        Figures figures = slowest.figures();
        long violations =
                same.stream().mapToLong(row -> row.figures().violations()).sum();
        return new Result(
                slowest.experiment(),
                slowest.point(),
                slowest.algorithm(),
                figures.withViolations(violations),
                slowest.handOverMs(),
                same.stream().mapToDouble(Result::lowestPerSecond).min().orElseThrow(),
                same.stream().mapToDouble(Result::highestPerSecond).max().orElseThrow(),
                slowest.usage(),
                same.stream().allMatch(Result::warm));
    }

    /** The lowest ratio to the rate of another algorithm at the same point; both are of the same start. */
    OptionalDouble lowestRatio(Result row, String algorithm) {
        return runs.stream()
                .flatMap(run -> run.results().stream()
                        .filter(row::isOfSameRow)
                        .flatMap(own -> run.results().stream()
                                .filter(other -> other.algorithm().equals(algorithm)
                                        && other.experiment().equals(row.experiment())
                                        && other.point().equals(row.point()))
                                .map(other -> own.rate() / other.rate())))
                .mapToDouble(Double::doubleValue)
                .min();
    }

    /** What a reader has to see first. */
    List<String> notes() {
        Set<String> notes = new LinkedHashSet<>();
        runs.forEach(run -> notes.addAll(run.notes()));
        for (int start = 0; start < runs.size(); start++) {
            for (Result row : runs.get(start).results()) {
                if (row.figures().violations() > 0) {
                    notes.add(row.figures().violations() + " violations: " + row.algorithm() + ", " + row.place()
                            + ", start " + (start + 1) + ".");
                }
                if (!row.warm()) {
                    notes.add("Not warm: " + row.algorithm() + ", " + row.place() + ", start " + (start + 1) + ".");
                }
            }
        }
        return List.copyOf(notes);
    }
}

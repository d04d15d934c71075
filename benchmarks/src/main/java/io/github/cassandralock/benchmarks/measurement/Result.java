package io.github.cassandralock.benchmarks.measurement;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.cassandralock.testing.statistics.Figures;
import io.github.cassandralock.testing.statistics.Grant;
import io.github.cassandralock.testing.statistics.Turn;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A row of {@code results.json}.
 *
 * @param experiment which one it belongs to
 * @param algorithm who gave the locks
 * @param processes how many wanted the same lock
 * @param acquisitions how often each of them got it, counted
 * @param figures what that cost
 */
public record Result(
        String experiment,
        String algorithm,
        int processes,
        long acquisitions,
        @JsonUnwrapped Figures figures) {

    /**
     * Sums up.
     *
     * @throws IllegalStateException if the processes were not granted the lock equally often
     */
    public static Result of(String experiment, String algorithm, List<Turn> turns) {
        Map<Integer, Long> byProcess = turns.stream()
                .flatMap(turn -> turn.grants().stream())
                .collect(Collectors.groupingBy(Grant::process, Collectors.counting()));
        if (byProcess.values().stream().distinct().count() != 1) {
            throw new IllegalStateException("Not every process got every lock it asked " + algorithm + " for: "
                    + byProcess + " grants by process");
        }
        return new Result(
                experiment,
                algorithm,
                byProcess.size(),
                byProcess.values().iterator().next(),
                Figures.of(turns));
    }
}

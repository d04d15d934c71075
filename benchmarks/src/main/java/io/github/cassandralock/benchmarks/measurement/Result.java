package io.github.cassandralock.benchmarks.measurement;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.cassandralock.testing.statistics.Figures;
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
 * @param contenders how many they had, each with a session of its own
 * @param acquisitions how often each of them got it, counted
 * @param figures what that cost
 */
public record Result(
        String experiment,
        String algorithm,
        int processes,
        int contenders,
        long acquisitions,
        @JsonUnwrapped Figures figures) {

    /**
     * Sums up.
     *
     * @throws IllegalStateException if the contenders were not granted the lock equally often
     */
    public static Result of(String experiment, String algorithm, List<Turn> turns) {
        Map<Taker, Long> byTaker = turns.stream()
                .flatMap(turn -> turn.grants().stream())
                .collect(Collectors.groupingBy(
                        grant -> new Taker(grant.process(), grant.contender()), Collectors.counting()));
        if (byTaker.values().stream().distinct().count() != 1) {
            throw new IllegalStateException(
                    "Not every contender got every lock that it asked " + algorithm + " for: " + byTaker + " grants");
        }
        return new Result(
                experiment,
                algorithm,
                (int) byTaker.keySet().stream().map(Taker::process).distinct().count(),
                byTaker.size(),
                byTaker.values().iterator().next(),
                Figures.of(turns));
    }

    /** The same for several runs: each figure is the median of theirs, and violations are counted together. */
    public static Result ofRuns(String experiment, String algorithm, List<List<Turn>> runs) {
        List<Result> all =
                runs.stream().map(turns -> of(experiment, algorithm, turns)).toList();
        Result first = all.get(0);
        return new Result(
                experiment,
                algorithm,
                first.processes(),
                first.contenders(),
                all.stream().mapToLong(Result::acquisitions).sum(),
                Figures.medians(all.stream().map(Result::figures).toList()));
    }

    private record Taker(int process, int contender) {}
}

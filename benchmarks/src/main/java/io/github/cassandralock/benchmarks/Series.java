package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.measurement.Result;
import io.github.cassandralock.benchmarks.worker.Work;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.testing.statistics.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The thesis's experiment: processes take one lock again and again, and do nothing under it. Algorithms and numbers of
 * processes take turns. Each of these pairs has its own lock, which was never taken before.
 */
final class Series {

    private final String experiment;
    private final List<Algorithm> algorithms;
    private final List<Integer> processCounts;
    private final int acquisitions;
    private final SeriesOptions options;
    private final Map<Pair, List<Turn>> turns = new LinkedHashMap<>();

    private record Pair(Algorithm algorithm, int processes) {

        @Override
        public String toString() {
            return algorithm + ", processes: " + processes;
        }
    }

    /** @param acquisitions of each process with each algorithm */
    Series(
            String experiment,
            List<Algorithm> algorithms,
            List<Integer> processCounts,
            int acquisitions,
            SeriesOptions options) {
        this.experiment = experiment;
        this.algorithms = algorithms;
        this.processCounts = processCounts;
        this.acquisitions = acquisitions;
        this.options = options;
        for (int processes : processCounts) {
            algorithms.forEach(algorithm -> turns.put(new Pair(algorithm, processes), new ArrayList<>()));
        }
    }

    int mostProcesses() {
        return Collections.max(processCounts);
    }

    /** Connects, warms up and measures. */
    void run(Workers workers, Environment environment) {
        for (Algorithm algorithm : algorithms) {
            workers.connect(mostProcesses(), algorithm, environment.addressFor(algorithm), 1);
        }
        warmUp(workers);
        measure(workers);
    }

    private void warmUp(Workers workers) {
        WarmUp warmUp = new WarmUp(options.warmUp());
        try (Progress progress = new Progress("warm-up", algorithms.size())) {
            for (Algorithm algorithm : algorithms) {
                progress.begins(algorithm.title());
                warmUp.run(workers, algorithm, mostProcesses());
                progress.done(1);
            }
        }
    }

    private void measure(Workers workers) {
        long perTurn = processCounts.stream().mapToLong(Integer::longValue).sum() * algorithms.size();
        try (Progress progress = new Progress(experiment, perTurn * acquisitions)) {
            for (int share : options.shares(acquisitions)) {
                turns.forEach((pair, done) -> {
                    progress.begins(pair.toString());
                    done.add(workers.take(
                            pair.processes(),
                            pair.algorithm(),
                            Work.onOneLock(experiment + "-" + pair.algorithm() + "-" + pair.processes(), share)));
                    progress.done((long) share * pair.processes());
                });
            }
        }
    }

    List<Result> results() {
        return turns.entrySet().stream()
                .map(entry -> Result.of(experiment, entry.getKey().algorithm().title(), entry.getValue()))
                .toList();
    }

    /** What was measured with this algorithm and the most processes. */
    List<Turn> turns(Algorithm algorithm) {
        return turns.getOrDefault(new Pair(algorithm, mostProcesses()), List.of());
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.measurement.Result;
import io.github.cassandralock.benchmarks.worker.Work;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.testing.statistics.Turn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The thesis's experiment: contenders take one lock again and again, and do nothing under it. Algorithms and numbers of
 * contenders take turns, as long as each process is one contender. Many contenders in each process are measured one algorithm
 * after the other: what keeps the sessions of a hundred contenders alive would slow down the others. Each of these pairs has its
 * own lock, which was never taken before. Only locks with a queue are measured with several contenders in each process.
 */
final class Series {

    private final String experiment;
    private final List<Algorithm> algorithms;
    private final List<Contenders> contenders;
    private final ToIntFunction<Contenders> acquisitions;
    private final SeriesOptions options;
    private final Map<Pair, List<Turn>> turns = new LinkedHashMap<>();

    private record Pair(Algorithm algorithm, Contenders contenders) {

        @Override
        public String toString() {
            return algorithm + ", contenders: " + contenders.count();
        }

        Work work(String experiment, int acquisitions) {
            return Work.onOneLock(experiment + "-" + algorithm + "-" + contenders.count(), acquisitions)
                    .withContenders(contenders.each());
        }
    }

    /** @param acquisitions how often each of these contenders takes the lock of each algorithm */
    Series(
            String experiment,
            List<Algorithm> algorithms,
            List<Contenders> contenders,
            ToIntFunction<Contenders> acquisitions,
            SeriesOptions options) {
        this.experiment = experiment;
        this.algorithms = algorithms;
        this.contenders = contenders;
        this.acquisitions = acquisitions;
        this.options = options;
        for (Contenders some : contenders) {
            algorithms.stream()
                    .filter(algorithm -> isMeasured(algorithm, some))
                    .forEach(algorithm -> turns.put(new Pair(algorithm, some), new ArrayList<>()));
        }
    }

    int mostProcesses() {
        return contenders.stream().mapToInt(Contenders::processes).max().orElseThrow();
    }

    private static boolean isMeasured(Algorithm algorithm, Contenders some) {
        return some.each() == 1 || algorithm.hasQueue();
    }

    /** Connects, warms up and measures. */
    void run(Workers workers, Environment environment) {
        algorithms.forEach(algorithm -> connect(workers, environment, algorithm, 1));
        warmUp(workers);
        try (Progress progress = new Progress(experiment, (long) options.turns() * turns.size())) {
            inTurns(workers, pairs(pair -> pair.contenders().each() == 1), progress);
            algorithms.forEach(algorithm -> connect(workers, environment, algorithm, 0));
            for (Pair pair : pairs(pair -> pair.contenders().each() > 1)) {
                connect(
                        workers,
                        environment,
                        pair.algorithm(),
                        pair.contenders().each());
                inTurns(workers, List.of(pair), progress);
                connect(workers, environment, pair.algorithm(), 0);
            }
        }
    }

    private void connect(Workers workers, Environment environment, Algorithm algorithm, int ofEachProcess) {
        workers.connect(mostProcesses(), algorithm, environment.addressFor(algorithm), ofEachProcess);
    }

    private List<Pair> pairs(Predicate<Pair> which) {
        return turns.keySet().stream().filter(which).toList();
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

    private void inTurns(Workers workers, List<Pair> pairs, Progress progress) {
        for (int turn = 0; turn < options.turns(); turn++) {
            for (Pair pair : pairs) {
                int share = options.share(acquisitions.applyAsInt(pair.contenders()), turn);
                progress.begins(pair.toString());
                if (share > 0) {
                    turnsOf(pair)
                            .add(workers.take(
                                    pair.contenders().processes(), pair.algorithm(), pair.work(experiment, share)));
                }
                progress.done(1);
            }
        }
    }

    private List<Turn> turnsOf(Pair pair) {
        return turns.getOrDefault(pair, List.of());
    }

    List<Result> results() {
        return turns.entrySet().stream()
                .map(entry -> Result.of(experiment, entry.getKey().algorithm().title(), entry.getValue()))
                .toList();
    }

    /** What was measured with this algorithm and the contenders that were named last. */
    List<Turn> turns(Algorithm algorithm) {
        return turnsOf(new Pair(algorithm, contenders.get(contenders.size() - 1)));
    }
}

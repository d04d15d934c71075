package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.measurement.Result;
import io.github.cassandralock.benchmarks.worker.Work;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.testing.statistics.Figures;
import io.github.cassandralock.testing.statistics.Turn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thesis's experiment: contenders take one lock again and again, and do nothing under it. Algorithms and numbers of
 * contenders take turns, as long as each process is one contender. Many contenders in each process are measured one algorithm
 * after the other: what keeps the sessions of a hundred contenders alive would slow down the others. In each run, each of these
 * pairs has its own lock, which was never taken before. Only locks with a queue are measured with several contenders in each
 * process.
 */
final class Series {

    private static final Logger log = LoggerFactory.getLogger(Series.class);

    /** Many contenders are warmed up for one part of so many of the time: by then most of the code is compiled. */
    private static final int PART_FOR_MANY = 5;

    private final String experiment;
    private final List<Algorithm> algorithms;
    private final List<Contenders> contenders;
    private final ToIntFunction<Contenders> acquisitions;
    private final SeriesOptions options;

    /** The turns of each run. */
    private final Map<Pair, List<List<Turn>>> runs = new LinkedHashMap<>();

    private record Pair(Algorithm algorithm, Contenders contenders) {

        @Override
        public String toString() {
            return algorithm + ", contenders: " + contenders.count();
        }

        Work work(String experiment, int run, int acquisitions) {
            return Work.onOneLock(experiment + "-" + run + "-" + algorithm + "-" + contenders.count(), acquisitions)
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
                    .forEach(algorithm -> runs.put(new Pair(algorithm, some), new ArrayList<>()));
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
        try (Progress progress = new Progress(experiment, (long) options.runs() * options.turns() * runs.size())) {
            for (int run = 0; run < options.runs(); run++) {
                algorithms.forEach(algorithm -> connect(workers, environment, algorithm, 1));
                inTurns(workers, pairs(pair -> pair.contenders().each() == 1), run, progress);
                algorithms.forEach(algorithm -> connect(workers, environment, algorithm, 0));
                for (Pair pair : pairs(pair -> pair.contenders().each() > 1)) {
                    ofManyContenders(workers, environment, pair, run, progress);
                }
            }
        }
    }

    private void ofManyContenders(Workers workers, Environment environment, Pair pair, int run, Progress progress) {
        connect(workers, environment, pair.algorithm(), pair.contenders().each());
        if (run == 0) {
            new WarmUp(options.warmUp().dividedBy(PART_FOR_MANY)).run(workers, pair.algorithm(), pair.contenders());
        }
        inTurns(workers, List.of(pair), run, progress);
        connect(workers, environment, pair.algorithm(), 0);
    }

    private void connect(Workers workers, Environment environment, Algorithm algorithm, int ofEachProcess) {
        workers.connect(mostProcesses(), algorithm, environment.addressFor(algorithm), ofEachProcess);
    }

    private List<Pair> pairs(Predicate<Pair> which) {
        return runs.keySet().stream().filter(which).toList();
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

    private void inTurns(Workers workers, List<Pair> pairs, int run, Progress progress) {
        pairs.forEach(pair -> runsOf(pair).add(new ArrayList<>()));
        for (int turn = 0; turn < options.turns(); turn++) {
            for (Pair pair : pairs) {
                int share = options.share(acquisitions.applyAsInt(pair.contenders()), turn);
                progress.begins(pair.toString());
                if (share > 0) {
                    Work work = pair.work(experiment, run, share);
                    runsOf(pair).get(run).add(workers.take(pair.contenders().processes(), pair.algorithm(), work));
                }
                progress.done(1);
            }
        }
        pairs.forEach(pair -> sumUp(pair, run));
    }

    /** A later run may fail, if a process dies: what was measured is in the log. */
    private void sumUp(Pair pair, int run) {
        List<Turn> turns = runsOf(pair).get(run);
        if (!turns.isEmpty()) {
            log.info("Run {} of {}, {}: {}", run + 1, experiment, pair, Figures.of(turns));
        }
    }

    private List<List<Turn>> runsOf(Pair pair) {
        return runs.getOrDefault(pair, List.of());
    }

    /** The medians of all runs. */
    List<Result> results() {
        return runs.entrySet().stream()
                .map(entry ->
                        Result.ofRuns(experiment, entry.getKey().algorithm().title(), entry.getValue()))
                .toList();
    }

    /** What the first run measured with this algorithm and the contenders that were named last. */
    List<Turn> turns(Algorithm algorithm) {
        return runsOf(new Pair(algorithm, contenders.get(contenders.size() - 1)))
                .get(0);
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.measurement.KeepingResult;
import io.github.cassandralock.benchmarks.measurement.ScalingResult;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.report.ScalingTables;
import io.github.cassandralock.benchmarks.report.Table;
import io.github.cassandralock.benchmarks.worker.Work;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.testing.statistics.Turn;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ticket lock under growing load. Every experiment begins anew with the least of it. Its points take turns, and at each point
 * the algorithms.
 *
 * @param algorithms the ticket lock with notices, or without, or both
 * @param acquisitions at each point, of all processes together, or more if it takes more for each to have a few
 */
record ScalingExperiment(SeriesOptions options, List<Algorithm> algorithms, int acquisitions) implements Experiment {

    static final List<Algorithm> BOTH = List.of(Algorithm.TICKET, Algorithm.TICKET_NOTICES);

    private static final int PROCESSES = 5;

    /** In a turn in which each takes the lock only a few times, what counts most is that all begin in the same instant. */
    private static final int FEWEST_OF_EACH = 10;

    private static final Duration KEEP = Duration.ofSeconds(30);

    /**
     * What is done at one point of an experiment.
     *
     * @param processes how many do this work
     */
    private record Point(String experiment, long at, int processes, Work work) {

        Work share(int acquisitions) {
            int takers = processes * work.contenders() * work.threads();
            return work.withAcquisitions(Math.max(FEWEST_OF_EACH, acquisitions / takers));
        }
    }

    /** The most contended last: code that is still being compiled takes the computing time that contenders are short of. */
    private static List<List<Point>> experiments() {
        return List.of(
                List.of(locks(1), locks(10), locks(100), locks(1_000), locks(10_000)),
                List.of(threads(1), threads(10), threads(100), threads(1_000)),
                List.of(work(0), work(10), work(100)),
                List.of(contenders(1, 1), contenders(PROCESSES, 1)),
                List.of(contenders(PROCESSES, 5)),
                List.of(contenders(PROCESSES, 20)));
    }

    private static Work one(String lockId) {
        return Work.onOneLock(lockId, 1);
    }

    private static Point contenders(int processes, int each) {
        int all = processes * each;
        return new Point("contenders", all, processes, one("contenders-" + all).withContenders(each));
    }

    private static Point locks(int count) {
        return new Point("locks", count, PROCESSES, one("locks-" + count).withLocks(count));
    }

    private static Point threads(int count) {
        return new Point(
                "threads of one process", count, 1, one("threads-" + count).withThreads(count));
    }

    private static Point work(int millis) {
        return new Point("ms of work", millis, PROCESSES, one("work-" + millis).withHold(Duration.ofMillis(millis)));
    }

    /** What is measured at one time. */
    private record Measurement(Point point, Algorithm algorithm) {

        @Override
        public String toString() {
            return point.experiment() + " " + point.at() + ", " + algorithm;
        }
    }

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<ScalingResult> results = new ArrayList<>();
        List<KeepingResult> keeping = new ArrayList<>();
        try (Workers workers = Environment.workers(PROCESSES, report.directory())) {
            for (Algorithm algorithm : algorithms) {
                connect(workers, environment, algorithm, 1);
                new WarmUp(options.warmUp()).run(workers, algorithm, PROCESSES);
            }
            for (List<Point> points : experiments()) {
                results.addAll(measure(workers, environment, points));
            }
            algorithms.forEach(algorithm -> connect(workers, environment, algorithm, 1));
            for (int locks : List.of(0, 100, 1_000, 10_000)) {
                for (Algorithm algorithm : algorithms) {
                    long requests = workers.keep(algorithm, "kept-" + algorithm + "-" + locks, locks, KEEP);
                    keeping.add(new KeepingResult(algorithm.title(), locks, KEEP.toSeconds(), requests));
                }
            }
        }
        report.json("scaling.json", results);
        report.json("keeping.json", keeping);
        List<Table> tables = new ArrayList<>(ScalingTables.of(results));
        tables.add(ScalingTables.keeping(keeping));
        return new Outcome(List.of(), tables);
    }

    private static void connect(Workers workers, Environment environment, Algorithm algorithm, int contenders) {
        workers.connect(PROCESSES, algorithm, environment.addressFor(algorithm), contenders);
    }

    /**
     * The algorithms take turns, but many sessions are open for one of them at a time: what keeps them alive would slow down the
     * others.
     *
     * @param points with as many contenders in each process
     */
    private List<ScalingResult> measure(Workers workers, Environment environment, List<Point> points) {
        int contenders = points.get(0).work().contenders();
        if (contenders == 1) {
            algorithms.forEach(algorithm -> connect(workers, environment, algorithm, 1));
            return inTurns(workers, points, algorithms);
        }
        List<ScalingResult> results = new ArrayList<>();
        algorithms.forEach(algorithm -> connect(workers, environment, algorithm, 0));
        for (Algorithm algorithm : algorithms) {
            connect(workers, environment, algorithm, contenders);
            results.addAll(inTurns(workers, points, List.of(algorithm)));
            connect(workers, environment, algorithm, 0);
        }
        return results;
    }

    private List<ScalingResult> inTurns(Workers workers, List<Point> points, List<Algorithm> some) {
        Map<Measurement, List<Turn>> turns = new LinkedHashMap<>();
        for (Point point : points) {
            some.forEach(algorithm -> turns.put(new Measurement(point, algorithm), new ArrayList<>()));
        }
        try (Progress progress = new Progress("scaling", (long) options.turns() * turns.size())) {
            for (int turn = 0; turn < options.turns(); turn++) {
                int share = options.share(acquisitions, turn);
                turns.forEach((measurement, done) -> {
                    progress.begins(measurement.toString());
                    done.add(take(workers, measurement, share));
                    progress.done(1);
                });
            }
        }
        return turns.entrySet().stream()
                .map(entry -> ScalingResult.of(
                        entry.getKey().point().experiment(),
                        entry.getKey().point().at(),
                        entry.getKey().algorithm().title(),
                        entry.getValue()))
                .toList();
    }

    /** Each algorithm has its own locks: instances of one table would otherwise meet with instances of the other settings. */
    private static Turn take(Workers workers, Measurement measurement, int share) {
        Point point = measurement.point();
        Work work = point.share(share).withPrefix(measurement.algorithm() + "-");
        return workers.take(point.processes(), measurement.algorithm(), work);
    }
}

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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ticket lock under growing load, and the thesis's queue among growing numbers of threads. Every experiment begins anew with the
 * least of it. Its points take turns, and at each point the algorithms.
 *
 * @param growing what is to grow
 * @param acquisitions at each point, of all processes together, or more if it takes more for each to have a few
 */
record ScalingExperiment(SeriesOptions options, Set<Growing> growing, int acquisitions) implements Experiment {

    /** What grows. */
    enum Growing {
        LOCKS("locks"),
        THREADS("threads of one process"),
        WORK("ms of work"),
        CONTENDERS("contenders"),
        HELD("locks held");

        private final String title;

        Growing(String title) {
            this.title = title;
        }
    }

    /** The ticket lock with notices, and without. */
    static final List<Algorithm> BOTH = List.of(Algorithm.TICKET, Algorithm.TICKET_NOTICES);

    /** The thesis says of its queue that it does not slow down. A thousand threads would take hours: each waiter reads the queue. */
    private static final int MOST_THREADS_OF_QUEUE = 100;

    private static final int PROCESSES = 5;

    /** In a turn in which each takes the lock only a few times, what counts most is that all begin in the same instant. */
    private static final int FEWEST_OF_EACH = 10;

    private static final Duration KEEP = Duration.ofSeconds(30);

    /**
     * What is done at one point of an experiment.
     *
     * @param processes how many do this work
     */
    private record Point(Growing experiment, long at, int processes, Work work) {

        List<Algorithm> algorithms() {
            return experiment == Growing.THREADS && at <= MOST_THREADS_OF_QUEUE
                    ? List.of(Algorithm.QUEUE, Algorithm.TICKET, Algorithm.TICKET_NOTICES)
                    : BOTH;
        }

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
        return new Point(
                Growing.CONTENDERS, all, processes, one("contenders-" + all).withContenders(each));
    }

    private static Point locks(int count) {
        return new Point(Growing.LOCKS, count, PROCESSES, one("locks-" + count).withLocks(count));
    }

    private static Point threads(int count) {
        return new Point(Growing.THREADS, count, 1, one("threads-" + count).withThreads(count));
    }

    private static Point work(int millis) {
        return new Point(Growing.WORK, millis, PROCESSES, one("work-" + millis).withHold(Duration.ofMillis(millis)));
    }

    /** What is measured at one time. */
    private record Measurement(Point point, Algorithm algorithm) {

        @Override
        public String toString() {
            return point.experiment().title + " " + point.at() + ", " + algorithm;
        }
    }

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<ScalingResult> results = new ArrayList<>();
        List<KeepingResult> keeping = new ArrayList<>();
        List<List<Point>> wanted = experiments().stream()
                .filter(points -> growing.contains(points.get(0).experiment()))
                .toList();
        Set<Algorithm> algorithms = algorithms(wanted);
        try (Workers workers = Environment.workers(PROCESSES, report.directory())) {
            for (Algorithm algorithm : algorithms) {
                connect(workers, environment, algorithm, 1);
                new WarmUp(options.warmUp()).run(workers, algorithm, PROCESSES);
            }
            for (List<Point> points : wanted) {
                Set<Algorithm> measured = algorithms(List.of(points));
                close(
                        workers,
                        environment,
                        algorithms.stream()
                                .filter(other -> !measured.contains(other))
                                .toList());
                results.addAll(measure(workers, environment, points));
            }
            if (growing.contains(Growing.HELD)) {
                close(workers, environment, algorithms);
                keeping.addAll(keep(workers, environment));
            }
        }
        report.json("scaling.json", results);
        List<Table> tables = new ArrayList<>(ScalingTables.of(results));
        if (!keeping.isEmpty()) {
            report.json("keeping.json", keeping);
            tables.add(ScalingTables.keeping(keeping));
        }
        return new Outcome(List.of(), tables);
    }

    private static Set<Algorithm> algorithms(List<List<Point>> experiments) {
        Set<Algorithm> algorithms = new LinkedHashSet<>(BOTH);
        experiments.forEach(points -> points.forEach(point -> algorithms.addAll(point.algorithms())));
        return algorithms;
    }

    private static List<KeepingResult> keep(Workers workers, Environment environment) {
        List<KeepingResult> keeping = new ArrayList<>();
        BOTH.forEach(algorithm -> connect(workers, environment, algorithm, 1));
        for (int locks : List.of(0, 100, 1_000, 10_000)) {
            for (Algorithm algorithm : BOTH) {
                long requests = workers.keep(algorithm, "kept-" + algorithm + "-" + locks, locks, KEEP);
                keeping.add(new KeepingResult(algorithm.title(), locks, KEEP.toSeconds(), requests));
            }
        }
        return keeping;
    }

    private static void connect(Workers workers, Environment environment, Algorithm algorithm, int contenders) {
        workers.connect(PROCESSES, algorithm, environment.addressFor(algorithm), contenders);
    }

    private static void close(Workers workers, Environment environment, Collection<Algorithm> algorithms) {
        algorithms.forEach(algorithm -> connect(workers, environment, algorithm, 0));
    }

    /**
     * The algorithms take turns, but many sessions are open for one of them at a time: what keeps them alive would slow down the
     * others.
     *
     * @param points with as many contenders in each process
     */
    private List<ScalingResult> measure(Workers workers, Environment environment, List<Point> points) {
        int contenders = points.get(0).work().contenders();
        Set<Algorithm> algorithms = algorithms(List.of(points));
        if (contenders == 1) {
            algorithms.forEach(algorithm -> connect(workers, environment, algorithm, 1));
            return inTurns(workers, points, algorithms);
        }
        List<ScalingResult> results = new ArrayList<>();
        close(workers, environment, algorithms);
        for (Algorithm algorithm : algorithms) {
            connect(workers, environment, algorithm, contenders);
            results.addAll(inTurns(workers, points, Set.of(algorithm)));
            close(workers, environment, Set.of(algorithm));
        }
        return results;
    }

    private List<ScalingResult> inTurns(Workers workers, List<Point> points, Set<Algorithm> some) {
        Map<Measurement, List<Turn>> turns = new LinkedHashMap<>();
        for (Point point : points) {
            point.algorithms().stream()
                    .filter(some::contains)
                    .forEach(algorithm -> turns.put(new Measurement(point, algorithm), new ArrayList<>()));
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
                        entry.getKey().point().experiment().title,
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

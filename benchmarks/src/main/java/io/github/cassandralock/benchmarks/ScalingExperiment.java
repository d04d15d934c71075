package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.measurement.KeepingResult;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.worker.Work;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.testing.results.Result;
import io.github.cassandralock.testing.results.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The ticket lock under growing load, and the thesis's queue among growing numbers of threads. All points take turns, and at each
 * point the algorithms; points with several clients in each process come last.
 *
 * @param growing what is to grow
 */
record ScalingExperiment(SeriesOptions options, Set<Growing> growing) implements Experiment {

    /** What grows. */
    enum Growing {
        LOCKS("locks"),
        THREADS("threads of one process"),
        WORK("ms of work"),
        CONTENDERS(Cell.CONTENDERS),
        HELD("locks held");

        private final String title;

        Growing(String title) {
            this.title = title;
        }
    }

    /** The ticket lock with notices, and without. */
    static final List<Algorithm> BOTH = List.of(Algorithm.TICKET, Algorithm.TICKET_NOTICES);

    /** The thesis says of its queue that it does not slow down. A thousand threads would take hours: each waiter reads the queue. */
    private static final long MOST_THREADS_OF_QUEUE = 100;

    private static final int PROCESSES = Contenders.MOST_PROCESSES;
    private static final Duration KEEP = Duration.ofSeconds(30);

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<Cell> cells = Stream.of(Growing.values())
                .filter(growing::contains)
                .flatMap(what -> points(what).mapToObj(at -> cells(what, at)).flatMap(List::stream))
                .toList();
        List<Result> results = new ArrayList<>();
        List<KeepingResult> keeping = new ArrayList<>();
        try (Workers workers = environment.workers(PROCESSES, Map.of(), report.directory())) {
            if (!cells.isEmpty()) {
                Series series = new Series(cells, options);
                series.run(workers, environment);
                results.addAll(series.results());
            }
            if (growing.contains(Growing.HELD)) {
                keeping.addAll(keep(workers, environment));
            }
        }
        if (keeping.isEmpty()) {
            return new Outcome(results, List.of());
        }
        report.json("keeping.json", keeping);
        return new Outcome(results, List.of(table(keeping)));
    }

    private static LongStream points(Growing what) {
        return switch (what) {
            case LOCKS -> LongStream.of(1, 10, 100, 1_000, 10_000);
            case THREADS -> LongStream.of(1, 10, 100, 1_000);
            case WORK -> LongStream.of(0, 10, 100);
            case CONTENDERS -> LongStream.of(1, 5, 25, 100);
            case HELD -> LongStream.empty();
        };
    }

    private static List<Cell> cells(Growing what, long at) {
        return Stream.concat(
                        what == Growing.THREADS && at <= MOST_THREADS_OF_QUEUE
                                ? Stream.of(Algorithm.QUEUE)
                                : Stream.empty(),
                        BOTH.stream())
                .map(algorithm -> cell(what, at, algorithm))
                .toList();
    }

    /** Each algorithm has its own locks: instances of one table would otherwise meet with instances of the other settings. */
    private static Cell cell(Growing what, long at, Algorithm algorithm) {
        Contenders contenders = what == Growing.CONTENDERS ? Contenders.of((int) at) : new Contenders(PROCESSES, 1);
        Work one = Work.onOneLock(what.name().toLowerCase(Locale.ROOT) + "-" + algorithm + "-" + at);
        Work work = switch (what) {
            case LOCKS -> one.withLocks((int) at);
            case THREADS -> one.withThreads((int) at);
            case WORK -> one.withHold(Duration.ofMillis(at));
            case CONTENDERS, HELD -> one.withContenders(contenders.each());
        };
        int processes = what == Growing.THREADS ? 1 : contenders.processes();
        return new Cell("growing: " + what.title, Map.of(what.title, at), algorithm, processes, work);
    }

    private static List<KeepingResult> keep(Workers workers, Environment environment) {
        List<KeepingResult> keeping = new ArrayList<>();
        BOTH.forEach(algorithm -> workers.connect(PROCESSES, algorithm, environment.addressFor(algorithm), 1));
        for (int locks : List.of(0, 100, 1_000, 10_000)) {
            for (Algorithm algorithm : BOTH) {
                long requests = workers.keep(algorithm, "kept-" + algorithm + "-" + locks, locks, KEEP);
                keeping.add(new KeepingResult(algorithm.title(), locks, KEEP.toSeconds(), requests));
            }
        }
        return keeping;
    }

    private static Table table(List<KeepingResult> results) {
        return new Table(
                "Locks held all the while",
                List.of(Growing.HELD.title, "algorithm", "seconds", "requests sent meanwhile"),
                results.stream()
                        .map(result -> List.of(
                                Table.count(result.locks()),
                                result.algorithm(),
                                Long.toString(result.seconds()),
                                Long.toString(result.requests())))
                        .toList());
    }
}

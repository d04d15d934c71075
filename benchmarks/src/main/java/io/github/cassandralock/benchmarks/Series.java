package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.processor.CpuClock;
import io.github.cassandralock.benchmarks.processor.MachineThreads;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.testing.results.Measured;
import io.github.cassandralock.testing.results.Result;
import io.github.cassandralock.testing.results.Usage;
import io.github.cassandralock.testing.statistics.Figures;
import io.github.cassandralock.testing.statistics.Grant;
import io.github.cassandralock.testing.statistics.Turn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures cells. Each is warmed up until its rate has stopped rising. Then they take turns, as long as each process has one
 * client. Cells with many clients in each process are measured one after the other: what keeps the sessions of a hundred
 * clients alive would slow down the others. A turn begins with a part that does not count, until the compilers are quiet.
 */
final class Series {

    private static final Logger log = LoggerFactory.getLogger(Series.class);

    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Cell> cells;
    private final SeriesOptions options;
    private final int acquisitions;
    private final BiConsumer<Cell, Turn> firstTurns;

    /** The turns of each. */
    private final Map<Cell, List<Measured>> measured = new LinkedHashMap<>();

    private final Set<Cell> warm = new HashSet<>();

    Series(List<Cell> cells, SeriesOptions options) {
        this(cells, options, 0, (cell, turn) -> {});
    }

    /**
     * Measures turns that count a number of locks at least, however long that takes.
     *
     * @param acquisitions how often each thread takes a lock at least in each turn
     * @param firstTurns gets what each cell did in its first turn
     */
    Series(List<Cell> cells, SeriesOptions options, int acquisitions, BiConsumer<Cell, Turn> firstTurns) {
        this.cells = List.copyOf(cells);
        this.options = options;
        this.acquisitions = acquisitions;
        this.firstTurns = firstTurns;
    }

    private int mostProcesses() {
        return cells.stream().mapToInt(Cell::processes).max().orElseThrow();
    }

    private static Set<Algorithm> algorithms(List<Cell> some) {
        Set<Algorithm> algorithms = new LinkedHashSet<>();
        some.forEach(cell -> algorithms.add(cell.algorithm()));
        return algorithms;
    }

    /** Measures as {@link #run(Environment, Map, Path)} does, in processes with this one's environment; all of it are rows. */
    Experiment.Outcome outcome(Environment environment, Report report) throws IOException {
        return new Experiment.Outcome(run(environment, Map.of(), report.directory()), List.of());
    }

    /** Starts what the cells need, measures them in processes of their own, and ends all that it has started. */
    List<Result> run(Environment environment, Map<String, String> variables, Path out) throws IOException {
        environment.startServersOf(algorithms(cells));
        try (Workers workers = environment.workers(mostProcesses(), variables, out)) {
            run(workers, environment);
        } finally {
            environment.endServers();
        }
        return results();
    }

    /** Measures in these processes; the clients of the last cell are still there when it returns. */
    void run(Workers workers, Environment environment) {
        List<List<Cell>> groups = groups();
        try (Progress progress = new Progress(cells.get(0).experiment(), steps())) {
            for (int i = 0; i < groups.size(); i++) {
                if (i > 0) {
                    connect(workers, environment, groups.get(i - 1), 0);
                }
                run(workers, environment, groups.get(i), progress);
            }
        }
    }

    private long steps() {
        return (options.turns() + 1L) * cells.size();
    }

    /** Measures two series turn by turn, each in processes of its own. Their cells have one client in each process. */
    static void runInTurns(
            Environment environment, Series one, Workers workersOfOne, Series other, Workers workersOfOther) {
        try (Progress progress = new Progress(one.cells.get(0).experiment(), one.steps() + other.steps())) {
            one.warmUp(workersOfOne, environment, one.cells, progress);
            other.warmUp(workersOfOther, environment, other.cells, progress);
            for (int turn = 0; turn < one.options.turns(); turn++) {
                one.turn(turn, workersOfOne, environment, one.cells, progress);
                other.turn(turn, workersOfOther, environment, other.cells, progress);
            }
        }
    }

    private List<List<Cell>> groups() {
        List<List<Cell>> groups = new ArrayList<>();
        List<Cell> inTurns =
                cells.stream().filter(cell -> cell.work().contenders() == 1).toList();
        if (!inTurns.isEmpty()) {
            groups.add(inTurns);
        }
        cells.stream().filter(cell -> cell.work().contenders() > 1).forEach(cell -> groups.add(List.of(cell)));
        return groups;
    }

    private void run(Workers workers, Environment environment, List<Cell> group, Progress progress) {
        warmUp(workers, environment, group, progress);
        for (int turn = 0; turn < options.turns(); turn++) {
            turn(turn, workers, environment, group, progress);
        }
    }

    private void warmUp(Workers workers, Environment environment, List<Cell> group, Progress progress) {
        WarmUp warmUp = new WarmUp(options.warmUp());
        connect(workers, environment, group, group.get(0).work().contenders());
        for (Algorithm algorithm : algorithms(group)) {
            progress.begins("warm-up, " + algorithm);
            warmUp.withManyLocks(workers, algorithm, mostProcesses());
        }
        for (Cell cell : group) {
            progress.begins("warm-up, " + cell);
            if (warmUp.isEnough(workers, cell)) {
                warm.add(cell);
            }
            progress.done(1);
        }
    }

    private void turn(int number, Workers workers, Environment environment, List<Cell> group, Progress progress) {
        for (Cell cell : group) {
            progress.begins(cell.toString());
            add(cell, measure(workers, environment, cell, number == 0));
            progress.done(1);
        }
    }

    private void connect(Workers workers, Environment environment, List<Cell> group, int clients) {
        algorithms(group)
                .forEach(algorithm ->
                        workers.connect(mostProcesses(), algorithm, environment.addressFor(algorithm), clients));
    }

    /** A later turn may fail, if a process dies: what was measured is in the log. */
    private void add(Cell cell, Measured turn) {
        log.info("{}: {}", cell, turn);
        measured.computeIfAbsent(cell, first -> new ArrayList<>()).add(turn);
    }

    private Measured measure(Workers workers, Environment environment, Cell cell, boolean first) {
        int processes = cell.processes();
        Algorithm algorithm = cell.algorithm();
        workers.begin(processes, algorithm, cell.work());
        boolean quiet = new LeadIn(options.leadIn()).await();
        CpuClock servers = new CpuClock(environment.serversOf(algorithm));
        CpuClock clients = new CpuClock(workers.pids());
        long from = workers.count(processes, algorithm, options.turn(), acquisitions);
        MachineThreads before = MachineThreads.now();
        long serversBefore = servers.nanos();
        long clientsBefore = clients.nanos();
        long requests = workers.await(processes, algorithm);
        double serversMs = (servers.nanos() - serversBefore) / NANOS_PER_MILLI;
        double clientsMs = (clients.nanos() - clientsBefore) / NANOS_PER_MILLI;
        MachineThreads after = MachineThreads.now();
        List<Grant> grants = workers.grants(processes, algorithm);
        Turn turn = new Turn(from, grants, requests, cell.work().permits());
        if (first) {
            firstTurns.accept(cell, turn);
        }
        return new Measured(
                Figures.of(List.of(turn)),
                Figures.handOverMs(List.of(turn)),
                new Usage(
                        serversMs / grants.size(),
                        clientsMs / grants.size(),
                        after.compilersSince(before),
                        after.collectorsSince(before)),
                quiet);
    }

    /** A row for each cell, the median of its turns. */
    List<Result> results() {
        return measured.entrySet().stream()
                .map(entry -> Result.of(
                        entry.getKey().experiment(),
                        entry.getKey().point(),
                        entry.getKey().algorithm().title(),
                        entry.getValue(),
                        warm.contains(entry.getKey())))
                .toList();
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.startup.ProgramClassPath;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.testing.results.Result;
import io.github.cassandralock.testing.results.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * Two versions of the locks, turn by turn on the same nodes. Each has processes and tables of its own. All other classes of these
 * processes are equal.
 *
 * @param before the program in the other version
 * @param processes one or several numbers of processes, which have one contender each
 */
record VersionsExperiment(SeriesOptions options, Path before, List<Algorithm> algorithms, List<Integer> processes)
        implements Experiment {

    private static final String NOW = "versions";
    private static final String BEFORE = "versions-before";

    /** The setting {@code cassandra-lock.keyspace}, as a variable of the environment. */
    private static final Map<String, String> VARIABLES_BEFORE =
            Map.of("CASSANDRA_LOCK_KEYSPACE", CassandraAddress.KEYSPACE_OF_ANOTHER_VERSION);

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        Path unpacked = Files.createTempDirectory("cassandra-lock-benchmarks-");
        try {
            List<Path> classPath = ProgramClassPath.withLocksOf(before, unpacked);
            return run(environment, report, classPath);
        } finally {
            FileSystemUtils.deleteRecursively(unpacked);
        }
    }

    private Outcome run(Environment environment, Report report, List<Path> classPath) throws IOException {
        Series now = series(NOW);
        Series earlier = series(BEFORE);
        int most = Collections.max(processes);
        Path logs = report.directory().resolve(BEFORE);
        try (Workers workers = environment.workers(most, Map.of(), report.directory());
                Workers workersBefore = environment.workers(most, VARIABLES_BEFORE, classPath, logs)) {
            Series.runInTurns(environment, earlier, workersBefore, now, workers);
        }
        List<Result> results = now.results();
        List<Result> resultsBefore = earlier.results();
        return new Outcome(
                Stream.concat(results.stream(), resultsBefore.stream()).toList(),
                List.of(table(resultsBefore, results)));
    }

    private Series series(String name) {
        return new Series(
                processes.stream()
                        .map(count -> new Contenders(count, 1))
                        .flatMap(some -> algorithms.stream().map(algorithm -> cell(name, algorithm, some)))
                        .toList(),
                options);
    }

    private static Cell cell(String name, Algorithm algorithm, Contenders contenders) {
        Cell cell = Cell.of(name, Cell.CONTENDERS, algorithm, contenders);
        return algorithm == Algorithm.BARE_REQUESTS ? cell.withPermits(contenders.count()) : cell;
    }

    private static Table table(List<Result> before, List<Result> now) {
        return new Table(
                "Beside another version",
                List.of(
                        "contenders",
                        "algorithm",
                        "locks/s before",
                        "locks/s",
                        "ratio",
                        "computing ms/lock before",
                        "computing ms/lock",
                        "ratio of computing time",
                        "warm"),
                IntStream.range(0, now.size())
                        .mapToObj(row -> row(before.get(row), now.get(row)))
                        .toList());
    }

    private static List<String> row(Result before, Result now) {
        double rateBefore = before.figures().locksPerSecond();
        double rate = now.figures().locksPerSecond();
        double computingBefore = computing(before);
        double computing = computing(now);
        return List.of(
                String.valueOf(now.point().get(Cell.CONTENDERS)),
                now.algorithm(),
                Table.number(rateBefore),
                Table.number(rate),
                Table.number(rate / rateBefore),
                Table.number(computingBefore),
                Table.number(computing),
                Table.number(computing / computingBefore),
                before.warm() && now.warm() ? "yes" : "no");
    }

    private static double computing(Result result) {
        return result.usage().serverMsPerLock() + result.usage().clientMsPerLock();
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.measurement.ReadersResult;
import io.github.cassandralock.benchmarks.report.ReadersTable;
import io.github.cassandralock.benchmarks.report.Report;
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
 * Readers and writers of one lock. Up to five contenders are a process each; more are threads of five processes. Numbers of contenders,
 * shares of readers and algorithms take turns.
 *
 * @param algorithms those that have locks for readers and writers
 * @param contenders how many, and in how many processes
 * @param shares how many of a hundred acquisitions are those of readers
 * @param acquisitions of each process; its threads share them
 * @param hold for how long each works under the lock
 */
record ReadersExperiment(
        SeriesOptions options,
        List<Algorithm> algorithms,
        List<Contenders> contenders,
        List<Integer> shares,
        int acquisitions,
        Duration hold)
        implements Experiment {

    /** In a turn in which each takes the lock only a few times, what counts most is that all begin in the same instant. */
    private static final int FEWEST_OF_EACH = 10;

    /** Readers that share a lock are quick, so they need more acquisitions for as long a time. */
    private static final int MORE_IF_ALL_READ = 20;

    /** What is measured at one time. */
    private record Measurement(Contenders contenders, int readers, Algorithm algorithm) {

        Work work(int run, int acquisitions) {
            return Work.onOneLock("readers-" + run + "-" + algorithm + "-" + contenders.count() + "-" + readers, 1)
                    .withThreads(contenders.each())
                    .withReaders(readers)
                    .withAcquisitions(Math.max(FEWEST_OF_EACH, acquisitions / contenders.each()));
        }

        @Override
        public String toString() {
            return algorithm + ", contenders: " + contenders.count() + ", readers: " + readers + " %";
        }
    }

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        Map<Measurement, List<List<Turn>>> runs = new LinkedHashMap<>();
        for (Contenders some : contenders) {
            for (int share : shares) {
                algorithms.forEach(algorithm -> runs.put(new Measurement(some, share, algorithm), new ArrayList<>()));
            }
        }
        environment.startServersOf(algorithms);
        int processes =
                contenders.stream().mapToInt(Contenders::processes).max().orElseThrow();
        try (Workers workers = Environment.workers(processes, report.directory())) {
            for (Algorithm algorithm : algorithms) {
                workers.connect(processes, algorithm, environment.addressFor(algorithm), 1);
                new WarmUp(options.warmUp()).run(workers, algorithm, processes);
            }
            measure(workers, runs);
        } finally {
            environment.endServers();
        }
        List<ReadersResult> results = runs.entrySet().stream()
                .map(entry -> ReadersResult.ofRuns(
                        entry.getKey().contenders().count(),
                        entry.getKey().readers(),
                        entry.getKey().algorithm().title(),
                        entry.getValue()))
                .toList();
        report.json("readers.json", results);
        return new Outcome(List.of(), List.of(ReadersTable.of(results)));
    }

    private void measure(Workers workers, Map<Measurement, List<List<Turn>>> runs) {
        try (Progress progress = new Progress("readers", (long) options.runs() * options.turns() * runs.size())) {
            for (int run = 0; run < options.runs(); run++) {
                runs.values().forEach(turns -> turns.add(new ArrayList<>()));
                for (int turn = 0; turn < options.turns(); turn++) {
                    for (Measurement measurement : runs.keySet()) {
                        progress.begins(measurement.toString());
                        runs.get(measurement).get(run).add(take(workers, measurement, run, turn));
                        progress.done(1);
                    }
                }
            }
        }
    }

    private Turn take(Workers workers, Measurement measurement, int run, int turn) {
        int share = options.share(acquisitions, turn) * (measurement.readers() == 100 ? MORE_IF_ALL_READ : 1);
        return workers.take(
                measurement.contenders().processes(),
                measurement.algorithm(),
                measurement.work(run, share).withHold(hold));
    }
}

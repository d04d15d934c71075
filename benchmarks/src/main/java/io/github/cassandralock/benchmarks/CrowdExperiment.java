package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.measurement.HeapResult;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.testing.results.Result;
import io.github.cassandralock.testing.results.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The ticket lock with far more contenders than any application should have for one lock.
 *
 * @param algorithms the ticket lock with notices, or without, or both
 * @param contenders how many, and in how many processes
 */
record CrowdExperiment(SeriesOptions options, List<Algorithm> algorithms, Contenders contenders) implements Experiment {

    /**
     * With the default lease, the renewals of a thousand sessions would take a good part of two processors. And twenty processes do
     * nothing for many minutes but optimize their code, unless they are told not to: the figures are about requests and memory.
     */
    private static final Map<String, String> FOR_A_CROWD =
            Map.of("CASSANDRALOCK_LEASE", "1h", "JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");

    private static final double BYTES_PER_MEGABYTE = 1 << 20;

    /** Each algorithm has its own processes: all contenders of both would need twice the memory. */
    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<Result> results = new ArrayList<>();
        List<HeapResult> heaps = new ArrayList<>();
        for (Algorithm algorithm : algorithms) {
            Series series = new Series(List.of(Cell.of("crowd", Cell.CONTENDERS, algorithm, contenders)), options);
            try (Workers workers = environment.workers(contenders.processes(), FOR_A_CROWD, report.directory())) {
                series.run(workers, environment);
                long most = Collections.max(workers.usedHeaps(contenders.processes(), algorithm));
                heaps.add(new HeapResult(algorithm.title(), contenders.processes(), contenders.count(), most));
            }
            results.addAll(series.results());
        }
        report.json("crowd-heap.json", heaps);
        return new Outcome(results, List.of(heaps(heaps)));
    }

    private static Table heaps(List<HeapResult> heaps) {
        return new Table(
                "Heap in use after the crowd, in the process with the most",
                List.of("algorithm", "processes", "contenders", "MB"),
                heaps.stream()
                        .map(heap -> List.of(
                                heap.algorithm(),
                                Table.count(heap.processes()),
                                Table.count(heap.contenders()),
                                Table.number(heap.mostBytes() / BYTES_PER_MEGABYTE)))
                        .toList());
    }
}

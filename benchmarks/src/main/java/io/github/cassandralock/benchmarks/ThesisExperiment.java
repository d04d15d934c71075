package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.report.Attempts;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.testing.results.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The measurements of the thesis's section 6, with its two algorithms and the ticket lock.
 *
 * @param processes one or several numbers of processes
 * @param acquisitions of each process at least
 */
record ThesisExperiment(SeriesOptions options, List<Integer> processes, int acquisitions) implements Experiment {

    private static final String NAME = "thesis";

    /** The order is that of the figures. */
    private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.QUEUE, Algorithm.SHADOW, Algorithm.TICKET);

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<Cell> cells = processes.stream()
                .flatMap(count -> ALGORITHMS.stream()
                        .map(algorithm -> Cell.of(NAME, "processes", algorithm, new Contenders(count, 1))))
                .toList();
        int most = Collections.max(processes);
        List<Attempts> attempts = new ArrayList<>();
        Series series = new Series(cells, options, acquisitions, (cell, turn) -> {
            if (cell.processes() == most) {
                attempts.addAll(Attempts.of(cell.algorithm().title(), turn, acquisitions));
            }
        });
        List<Result> results = series.run(environment, Map.of(), report.directory());
        report.json(Attempts.FILE, attempts);
        Attempts.draw(report, report);
        return new Outcome(results, List.of());
    }
}

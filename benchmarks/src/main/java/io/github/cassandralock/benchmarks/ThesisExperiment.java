package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.report.AttemptFigure;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.report.ResultTables;
import io.github.cassandralock.benchmarks.worker.Workers;
import java.io.IOException;
import java.util.List;

/**
 * The measurements of the thesis's section 6, with its two algorithms and the ticket lock.
 *
 * @param processes one or several numbers of processes
 * @param acquisitions of each process
 */
record ThesisExperiment(SeriesOptions options, List<Integer> processes, int acquisitions) implements Experiment {

    private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.SHADOW, Algorithm.QUEUE, Algorithm.TICKET);

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        Series series = new Series(
                "thesis",
                ALGORITHMS,
                processes.stream().map(count -> new Contenders(count, 1)).toList(),
                each -> acquisitions,
                options);
        try (Workers workers = Environment.workers(series.mostProcesses(), report.directory())) {
            series.run(workers, environment);
        }
        draw(report, "figure-1.svg", "Figure 1: the thesis's new algorithm", series, Algorithm.QUEUE);
        draw(report, "figure-2.svg", "Figure 2: the old algorithm", series, Algorithm.SHADOW);
        draw(report, "figure-3.svg", "Figure 3: the ticket lock", series, Algorithm.TICKET);
        return new Outcome(
                series.results(),
                List.of(
                        ResultTables.thesis(series.results()),
                        ResultTables.all("The thesis's experiment", series.results())));
    }

    private static void draw(Report report, String name, String title, Series series, Algorithm algorithm)
            throws IOException {
        report.figure(name, AttemptFigure.of(title + ", " + algorithm, series.turns(algorithm)));
    }
}

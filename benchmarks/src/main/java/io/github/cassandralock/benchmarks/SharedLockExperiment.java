package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.benchmarks.worker.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Contenders for one lock that several may hold. Up to five contenders are a process each; more are threads of five processes. Numbers
 * of contenders, values and algorithms take turns.
 *
 * @param varied what has the values
 * @param algorithms those that have such locks
 * @param contenders how many, and in how many processes
 * @param hold for how long each works under the lock
 */
record SharedLockExperiment(
        SeriesOptions options,
        Varied varied,
        List<Algorithm> algorithms,
        List<Contenders> contenders,
        List<Integer> values,
        Duration hold)
        implements Experiment {

    /**
     * A property of the work that varies.
     *
     * @param experiment the name of the experiment
     * @param column the name of the property in results
     * @param with the work with a value of the property
     */
    record Varied(String experiment, String column, BiFunction<Work, Integer, Work> with) {}

    @Override
    public Outcome run(Environment environment, Report report) throws IOException {
        List<Cell> cells = new ArrayList<>();
        for (Contenders some : contenders) {
            for (int value : values) {
                algorithms.forEach(algorithm -> cells.add(cell(algorithm, some, value)));
            }
        }
        return new Series(cells, options).outcome(environment, report);
    }

    private Cell cell(Algorithm algorithm, Contenders some, int value) {
        Map<String, Long> point = new LinkedHashMap<>();
        point.put(Cell.CONTENDERS, (long) some.count());
        point.put(varied.column(), (long) value);
        String name = varied.experiment();
        Work work = Work.onOneLock(name + "-" + algorithm + "-" + some.count() + "-" + value)
                .withThreads(some.each())
                .withHold(hold);
        return new Cell(name, point, algorithm, some.processes(), varied.with().apply(work, value));
    }
}

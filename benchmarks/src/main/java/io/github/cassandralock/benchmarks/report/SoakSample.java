package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.testing.results.ResultPage;
import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A row of {@code soak.json}: what a process used at a time.
 *
 * @param process from 1
 * @param seconds since the beginning
 * @param heapMegabytes in use after a garbage collection
 * @param calls since the beginning
 */
public record SoakSample(int process, double seconds, double heapMegabytes, long threads, long calls) {

    /** The name of the file. */
    public static final String FILE = ResultPage.SOAK;

    /** Draws the figures of the file: soak-heap.svg and soak-threads.svg. */
    public static void draw(Report from, Report figures) throws IOException {
        List<SoakSample> all = from.rows(FILE, SoakSample[].class);
        figures.figure("soak-heap.svg", figure("Heap after a collection", "MB", all, SoakSample::heapMegabytes));
        figures.figure("soak-threads.svg", figure("Threads", "threads", all, SoakSample::threads));
    }

    private static LineFigure figure(
            String title, String unit, List<SoakSample> all, ToDoubleFunction<SoakSample> value) {
        LineFigure figure = new LineFigure(title, "seconds", unit);
        for (int process : all.stream().map(SoakSample::process).distinct().toList()) {
            List<SoakSample> own =
                    all.stream().filter(sample -> sample.process() == process).toList();
            figure.add(
                    "process " + process,
                    own.get(0).seconds(),
                    own.stream().map(value::applyAsDouble).toList());
        }
        return figure;
    }
}

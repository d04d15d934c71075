package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.testing.results.Plot;
import io.github.cassandralock.testing.results.Result;
import io.github.cassandralock.testing.results.ResultPage;
import io.github.cassandralock.testing.results.ResultTables;
import io.github.cassandralock.testing.results.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The tables and figures of a page, made from files of results, and a report with all columns beside the files. */
public final class PageReport {

    private PageReport() {}

    /**
     * Makes them anew.
     *
     * @param results the directory whose directories the page names
     */
    public static void render(Path page, Path results) throws IOException {
        String text = Files.readString(page);
        Files.writeString(page, ResultPage.filled(text, results));
        List<String> names = ResultPage.names(text);
        if (!names.isEmpty()) {
            Report figures = Report.into(page.resolveSibling("figures"));
            for (String name : names) {
                draw(name, results.resolve(name), figures);
            }
        }
    }

    private static void draw(String name, Path directory, Report figures) throws IOException {
        List<Run> runs = Run.in(directory);
        if (!runs.isEmpty()) {
            List<Result> rows = ResultTables.rowsOfPlots(runs);
            for (Plot plot : Plot.values()) {
                figures.figure(plot.file(name), new BarFigure(plot, rows));
            }
            Files.writeString(directory.resolve(ResultPage.REPORT), ResultTables.ofReport(runs));
        }
        Path first = Run.start(directory, 1);
        if (Files.exists(first.resolve(Attempts.FILE))) {
            Attempts.draw(new Report(first), figures);
        }
        if (Files.exists(directory.resolve(SoakSample.FILE))) {
            SoakSample.draw(new Report(directory), figures);
        }
    }
}

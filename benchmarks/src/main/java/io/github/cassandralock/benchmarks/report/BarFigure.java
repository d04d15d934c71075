package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.testing.results.Plot;
import io.github.cassandralock.testing.results.Result;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.Collectors;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;

/** A bar for each algorithm at each point. */
final class BarFigure implements Figure {

    private final CategoryChart chart;

    /** @param rows of one experiment, one at least */
    BarFigure(Plot plot, List<Result> rows) {
        List<String> points = rows.stream().map(Result::place).distinct().toList();
        chart = new CategoryChartBuilder()
                .width(Style.WIDTH)
                .height(Style.HEIGHT)
                .title(plot.title())
                .build();
        Style.apply(chart.getStyler());
        for (String algorithm : rows.stream().map(Result::algorithm).distinct().toList()) {
            chart.addSeries(
                    algorithm,
                    points,
                    points.stream()
                            .map(point -> value(plot, rows, algorithm, point))
                            .collect(Collectors.toList()));
        }
    }

    /** A place where an algorithm was not measured has no bar. */
    private static Double value(Plot plot, List<Result> rows, String algorithm, String point) {
        return rows.stream()
                .filter(row -> row.algorithm().equals(algorithm) && row.place().equals(point))
                .mapToDouble(plot::of)
                .filter(value -> !Double.isNaN(value))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void draw(OutputStream out) throws IOException {
        ChartEncoder.saveChart(chart, out, "svg");
    }
}

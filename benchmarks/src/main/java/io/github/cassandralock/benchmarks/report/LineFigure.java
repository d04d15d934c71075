package io.github.cassandralock.benchmarks.report;

import java.awt.BasicStroke;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A figure with a line for each process, in colours that can be read on a light and on a dark page. For one thread. */
public final class LineFigure implements Figure {

    private final XYChart chart;

    public LineFigure(String title, String xTitle, String yTitle) {
        chart = new XYChartBuilder()
                .width(Style.WIDTH)
                .height(Style.HEIGHT)
                .title(title)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        Style.apply(chart.getStyler());
        chart.getStyler().setYAxisMin(0.0);
    }

    /** The y values belong to x = each, 2 each, 3 each, … */
    public void add(String name, double each, List<Double> values) {
        List<Double> x =
                IntStream.rangeClosed(1, values.size()).mapToObj(i -> i * each).toList();
        line(name, x, values).setMarker(SeriesMarkers.NONE);
    }

    private XYSeries line(String name, List<Double> x, List<Double> y) {
        XYSeries line = chart.addSeries(name, x, y);
        line.setLineStyle(new BasicStroke(1.6f));
        return line;
    }

    @Override
    public void draw(OutputStream out) throws IOException {
        ChartEncoder.saveChart(chart, out, "svg");
    }
}

package io.github.cassandralock.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A figure with a line for each process, in colours that can be read on a light and on a dark page. For one thread. */
public final class LineFigure {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 520;
    private static final Color CLEAR = new Color(0, 0, 0, 0);
    private static final Color INK = new Color(0x80, 0x86, 0x90);
    private static final Color GRID = new Color(0x80, 0x86, 0x90, 0x50);
    private static final Color[] LINES = {
        new Color(0x3B, 0x8E, 0xEA),
        new Color(0xE0, 0x6C, 0x2B),
        new Color(0x2F, 0xA3, 0x6B),
        new Color(0xC0, 0x5A, 0xC8),
        new Color(0xB8, 0x93, 0x1C)
    };

    private final XYChart chart;

    public LineFigure(String title, String xTitle, String yTitle) {
        chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        style(chart.getStyler());
    }

    private static void style(XYStyler style) {
        style.setChartBackgroundColor(CLEAR);
        style.setPlotBackgroundColor(CLEAR);
        style.setLegendBackgroundColor(CLEAR);
        style.setChartTitleBoxBackgroundColor(CLEAR);
        style.setChartFontColor(INK);
        style.setAxisTickLabelsColor(INK);
        style.setAxisTickMarksColor(INK);
        style.setXAxisTitleColor(INK);
        style.setYAxisTitleColor(INK);
        style.setChartTitleFontColor(INK);
        style.setPlotBorderVisible(false);
        style.setLegendBorderColor(CLEAR);
        style.setPlotGridLinesColor(GRID);
        style.setLegendPosition(LegendPosition.InsideNW);
        style.setBaseFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        style.setSeriesColors(LINES);
    }

    /** The y values belong to x = each, 2 each, 3 each, … */
    public void add(String name, int each, List<Double> values) {
        List<Double> x = IntStream.rangeClosed(1, values.size())
                .mapToObj(i -> i * (double) each)
                .toList();
        line(name, x, values).setMarker(SeriesMarkers.NONE);
    }

    /** A line through these points, which can be seen. */
    void add(String name, List<Double> x, List<Double> y) {
        line(name, x, y).setMarker(SeriesMarkers.CIRCLE);
    }

    private XYSeries line(String name, List<Double> x, List<Double> y) {
        XYSeries line = chart.addSeries(name, x, y);
        line.setLineStyle(new BasicStroke(1.6f));
        return line;
    }

    void draw(OutputStream out) throws IOException {
        ChartEncoder.saveChart(chart, out, "svg");
    }
}

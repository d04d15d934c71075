package io.github.cassandralock.benchmarks.report;

import java.awt.Color;
import java.awt.Font;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Colours that can be read on a light and on a dark page. */
final class Style {

    static final int WIDTH = 900;
    static final int HEIGHT = 520;
    private static final Color CLEAR = new Color(0, 0, 0, 0);
    private static final Color INK = new Color(0x80, 0x86, 0x90);
    private static final Color GRID = new Color(0x80, 0x86, 0x90, 0x50);
    private static final Color[] SERIES = {
        new Color(0x3B, 0x8E, 0xEA),
        new Color(0xE0, 0x6C, 0x2B),
        new Color(0x2F, 0xA3, 0x6B),
        new Color(0xC0, 0x5A, 0xC8),
        new Color(0xB8, 0x93, 0x1C)
    };

    private Style() {}

    static void apply(AxesChartStyler style) {
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
        style.setSeriesColors(SERIES);
    }
}

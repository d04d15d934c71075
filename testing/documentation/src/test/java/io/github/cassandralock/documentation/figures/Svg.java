package io.github.cassandralock.documentation.figures;

import java.util.List;

/** Writes the elements of one picture. Each element is a line, so that a change of a source is a small change of its picture. */
final class Svg {

    /** Colours for light and dark pages. A picture has a background of its own, which is readable on pages of either kind. */
    private static final String STYLE = """
            text { font: 14px system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; fill: #1f2933; }
            .title { font-weight: 600; }
            .paper { fill: #fbfcfd; stroke: #cbd2d9; }
            .box { fill: #e9eef3; stroke: #52606d; }
            .good { fill: #c6ebd4; stroke: #1d7a46; }
            .wait { fill: #fdeec2; stroke: #a66f00; }
            .bad { fill: #fbd5d5; stroke: #b3261e; }
            .line { stroke: #52606d; fill: none; stroke-width: 1.3; }
            .dashed { stroke-dasharray: 5 4; }
            .head { fill: #52606d; }
            .cross { stroke: #b3261e; stroke-width: 2.5; }
            @media (prefers-color-scheme: dark) {
            text { fill: #e4e7eb; }
            .paper { fill: #1e242b; stroke: #52606d; }
            .box { fill: #2f3a45; stroke: #9aa5b1; }
            .good { fill: #1b4d33; stroke: #6fcf97; }
            .wait { fill: #5a4310; stroke: #f0b429; }
            .bad { fill: #5c2323; stroke: #ef8b85; }
            .line { stroke: #9aa5b1; }
            .head { fill: #9aa5b1; }
            .cross { stroke: #ef8b85; }
            }""";

    private static final int LINE = 17;

    private final StringBuilder elements = new StringBuilder();

    void rectangle(String kind, int x, int y, int width, int height) {
        add("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>"
                .formatted(kind, x, y, width, height));
    }

    /** @param kinds the classes of the line: {@code line}, and {@code dashed} or {@code cross} */
    void line(String kinds, int x1, int y1, int x2, int y2) {
        add("<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>".formatted(kinds, x1, y1, x2, y2));
    }

    /** An arrow whose head touches its end. */
    void arrow(String kinds, int x1, int y1, int x2, int y2) {
        line(kinds, x1, y1, x2, y2);
        double length = Math.hypot(x2 - x1, y2 - y1);
        double dx = (x2 - x1) / length;
        double dy = (y2 - y1) / length;
        add("<path class=\"head\" d=\"M%d %d L%d %d L%d %d Z\"/>"
                .formatted(
                        x2,
                        y2,
                        rounded(x2 - 9 * dx + 4.5 * dy),
                        rounded(y2 - 9 * dy - 4.5 * dx),
                        rounded(x2 - 9 * dx - 4.5 * dy),
                        rounded(y2 - 9 * dy + 4.5 * dx)));
    }

    /**
     * Lines of text, the first of which has its base line at {@code y}.
     *
     * @param anchor {@code start}, {@code middle} or {@code end}
     */
    void text(String anchor, int x, int y, List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            add("<text text-anchor=\"%s\" x=\"%d\" y=\"%d\">%s</text>"
                    .formatted(anchor, x, y + i * LINE, escaped(lines.get(i))));
        }
    }

    void title(String anchor, int x, int y, String text) {
        add("<text class=\"title\" text-anchor=\"%s\" x=\"%d\" y=\"%d\">%s</text>"
                .formatted(anchor, x, y, escaped(text)));
    }

    /** Draws another picture over this one. */
    void add(Svg other) {
        elements.append(other.elements);
    }

    /** The height of lines of text. */
    static int height(List<String> lines) {
        return lines.size() * LINE;
    }

    /** The whole picture. */
    String document(String title, int width, int height) {
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" role="img">
                <title>%3$s</title>
                <style>
                %4$s
                </style>
                <rect class="paper" x="0.5" y="0.5" width="%5$d" height="%6$d" rx="8"/>
                %7$s</svg>
                """.formatted(width, height, escaped(title), STYLE, width - 1, height - 1, elements);
    }

    private void add(String element) {
        elements.append(element).append('\n');
    }

    private static long rounded(double value) {
        return Math.round(value);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

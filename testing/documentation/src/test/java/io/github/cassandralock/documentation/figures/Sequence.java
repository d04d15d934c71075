package io.github.cassandralock.documentation.figures;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Messages between lines of life; time runs from top to bottom. The statements of a source:
 *
 * <pre>
 * line NAME title
 * NAME > NAME : label          a request
 * NAME ~> NAME : label         an answer
 * NAME [KIND : label | label   a span of this kind begins; a class of {@link Svg}
 * NAME ]                       the span ends
 * NAME x : label               the line of life ends
 * NAME : label | label         a note
 * pause : label                time passes
 * </pre>
 *
 * Labels of spans and notes are outside: left of the first line of life, and right of the others.
 */
final class Sequence {

    private record Span(String kind, int from) {}

    private static final int MARGIN = 165;
    private static final int BETWEEN = 265;
    private static final int TOP = 62;
    private static final int BAR = 10;

    private static final Pattern LINE = Pattern.compile("line (\\w+) (.*)");
    private static final Pattern MESSAGE = Pattern.compile("(\\w+) (~?>) (\\w+) : (.*)");
    private static final Pattern BEGIN = Pattern.compile("(\\w+) \\[(\\w+)(?: : (.*))?");
    private static final Pattern END = Pattern.compile("(\\w+) ]");
    private static final Pattern CROSS = Pattern.compile("(\\w+) x : (.*)");
    private static final Pattern PAUSE = Pattern.compile("pause : (.*)");
    private static final Pattern NOTE = Pattern.compile("(\\w+) : (.*)");

    private final String title;
    private final Map<String, String> lines = new LinkedHashMap<>();
    private final Map<String, Integer> xs = new HashMap<>();
    private final Map<String, Integer> ends = new HashMap<>();
    private final Map<String, Span> spans = new HashMap<>();
    private final Svg bars = new Svg();
    private final Svg svg = new Svg();
    private int y = TOP;

    Sequence(String title) {
        this.title = title;
    }

    String drawn(List<String> source) {
        source.forEach(this::declare);
        List<String> statements =
                source.stream().filter(each -> !LINE.matcher(each).matches()).toList();
        Svg picture = new Svg();
        statements.forEach(this::draw);
        int bottom = y + 14;
        List.copyOf(spans.keySet()).forEach(name -> endSpan(name, bottom));
        lines.forEach((name, text) -> {
            int x = x(name);
            picture.line("line dashed", x, 44, x, ends.getOrDefault(name, bottom));
            picture.rectangle("box", x - 70, 16, 140, 28);
            picture.title("middle", x, 35, text);
        });
        picture.add(bars);
        picture.add(svg);
        return picture.document(title, 2 * MARGIN + (lines.size() - 1) * BETWEEN, bottom + 14);
    }

    private void declare(String statement) {
        Matcher line = LINE.matcher(statement);
        if (line.matches()) {
            xs.put(line.group(1), MARGIN + lines.size() * BETWEEN);
            lines.put(line.group(1), line.group(2));
        }
    }

    private void draw(String statement) {
        Matcher message = MESSAGE.matcher(statement);
        Matcher begin = BEGIN.matcher(statement);
        Matcher end = END.matcher(statement);
        Matcher cross = CROSS.matcher(statement);
        Matcher pause = PAUSE.matcher(statement);
        Matcher note = NOTE.matcher(statement);
        if (message.matches()) {
            drawMessage(message.group(1), message.group(2).equals(">"), message.group(3), message.group(4));
        } else if (begin.matches()) {
            beginSpan(begin.group(1), begin.group(2), begin.group(3));
        } else if (end.matches()) {
            endSpan(end.group(1), y);
        } else if (cross.matches()) {
            drawCross(cross.group(1), cross.group(2));
        } else if (pause.matches()) {
            drawPause(pause.group(1));
        } else if (note.matches()) {
            drawNote(note.group(1), note.group(2));
        } else {
            throw new IllegalArgumentException("Not a statement: " + statement);
        }
    }

    private void drawMessage(String from, boolean request, String to, String text) {
        y += 34;
        boolean toTheRight = x(to) > x(from);
        int start = x(from) + (toTheRight ? BAR / 2 : -BAR / 2);
        int stop = x(to) + (toTheRight ? -BAR / 2 : BAR / 2);
        svg.arrow(request ? "line" : "line dashed", start, y, stop, y);
        svg.text("middle", (start + stop) / 2, y - 7, List.of(text));
    }

    private void beginSpan(String name, String kind, @Nullable String text) {
        endSpan(name, y);
        y += 12;
        spans.put(name, new Span(kind, y));
        if (text != null) {
            drawNote(name, text);
        }
    }

    private void endSpan(String name, int at) {
        Span span = spans.remove(name);
        if (span != null) {
            bars.rectangle(span.kind, x(name) - BAR / 2, span.from, BAR, Math.max(at - span.from, 4));
        }
    }

    private void drawCross(String name, String text) {
        endSpan(name, y + 14);
        drawNote(name, text);
        int x = x(name);
        svg.line("line cross", x - 8, y - 8, x + 8, y + 8);
        svg.line("line cross", x - 8, y + 8, x + 8, y - 8);
        ends.put(name, y);
    }

    private void drawPause(String text) {
        y += 44;
        int right = 2 * MARGIN + (lines.size() - 1) * BETWEEN - 20;
        svg.line("line dashed", 20, y - 10, right, y - 10);
        svg.text("middle", (20 + right) / 2, y - 16, List.of(text));
    }

    private void drawNote(String name, String text) {
        List<String> label = Figure.label(text);
        boolean first = name.equals(lines.keySet().iterator().next());
        svg.text(first ? "end" : "start", x(name) + (first ? -14 : 14), y + 14, label);
        y += Svg.height(label);
    }

    private int x(String name) {
        Integer x = xs.get(name);
        if (x == null) {
            throw new IllegalArgumentException("No line has this name: " + name);
        }
        return x;
    }
}

package io.github.cassandralock.documentation.figures;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Boxes with arrows between them. The statements of a source:
 *
 * <pre>
 * size WIDTH HEIGHT
 * NAME KIND X Y WIDTH HEIGHT : title | text | text
 * NAME.SIDE+OFFSET > NAME.SIDE+OFFSET : label | label
 * text X Y : label | label
 * </pre>
 *
 * A kind is a class of {@link Svg}. A side is left, right, top or bottom; an offset moves an end from the middle of its side.
 */
final class Boxes {

    private record Box(int x, int y, int width, int height) {}

    private record Point(int x, int y) {}

    private static final Pattern BOX = Pattern.compile("(\\w+) (\\w+) (\\d+) (\\d+) (\\d+) (\\d+) : (.*)");
    private static final Pattern ARROW =
            Pattern.compile("(\\w+\\.\\w+(?:[+-]\\d+)?) > (\\w+\\.\\w+(?:[+-]\\d+)?)(?: : (.*))?");
    private static final Pattern END = Pattern.compile("(\\w+)\\.(\\w+)([+-]\\d+)?");
    private static final Pattern SIZE = Pattern.compile("size (\\d+) (\\d+)");
    private static final Pattern TEXT = Pattern.compile("text (\\d+) (\\d+) : (.*)");

    private final String title;
    private final Svg svg = new Svg();
    private final Map<String, Box> boxes = new HashMap<>();
    private int width;
    private int height;

    Boxes(String title) {
        this.title = title;
    }

    String drawn(List<String> lines) {
        lines.forEach(this::draw);
        return svg.document(title, width, height);
    }

    private void draw(String line) {
        Matcher size = SIZE.matcher(line);
        Matcher text = TEXT.matcher(line);
        Matcher box = BOX.matcher(line);
        Matcher arrow = ARROW.matcher(line);
        if (size.matches()) {
            width = number(size, 1);
            height = number(size, 2);
        } else if (text.matches()) {
            svg.text("start", number(text, 1), number(text, 2), Figure.label(text.group(3)));
        } else if (box.matches()) {
            drawBox(
                    box.group(1),
                    box.group(2),
                    new Box(number(box, 3), number(box, 4), number(box, 5), number(box, 6)),
                    box.group(7));
        } else if (arrow.matches()) {
            drawArrow(end(arrow.group(1)), end(arrow.group(2)), arrow.group(3) == null ? "" : arrow.group(3));
        } else {
            throw new IllegalArgumentException("Not a statement: " + line);
        }
    }

    private void drawBox(String name, String kind, Box box, String text) {
        boxes.put(name, box);
        svg.rectangle(kind, box.x, box.y, box.width, box.height);
        List<String> lines = Figure.label(text);
        int middle = box.x + box.width / 2;
        int top = box.y + (box.height - Svg.height(lines)) / 2 + 13;
        svg.title("middle", middle, top, lines.get(0));
        svg.text("middle", middle, top + Svg.height(lines.subList(0, 1)), lines.subList(1, lines.size()));
    }

    /** The label of a steep arrow is beside it, other labels are above theirs. */
    private void drawArrow(Point from, Point to, String text) {
        svg.arrow("line", from.x, from.y, to.x, to.y);
        if (text.isEmpty()) {
            return;
        }
        List<String> lines = Figure.label(text);
        int x = (from.x + to.x) / 2;
        int y = (from.y + to.y) / 2;
        if (Math.abs(to.y - from.y) > Math.abs(to.x - from.x)) {
            svg.text("start", x + 9, y + 5 - Svg.height(lines.subList(1, lines.size())) / 2, lines);
        } else {
            svg.text("middle", x, y - 7 - Svg.height(lines.subList(1, lines.size())), lines);
        }
    }

    private Point end(String text) {
        Matcher end = END.matcher(text);
        Box box = end.matches() ? boxes.get(end.group(1)) : null;
        if (box == null) {
            throw new IllegalArgumentException("No box has this name: " + text);
        }
        int offset = end.group(3) == null ? 0 : Integer.parseInt(end.group(3));
        int middleX = box.x + box.width / 2 + offset;
        int middleY = box.y + box.height / 2 + offset;
        return switch (end.group(2)) {
            case "left" -> new Point(box.x, middleY);
            case "right" -> new Point(box.x + box.width, middleY);
            case "top" -> new Point(middleX, box.y);
            case "bottom" -> new Point(middleX, box.y + box.height);
            default -> throw new IllegalArgumentException("Not a side: " + text);
        };
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }
}

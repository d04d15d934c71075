package io.github.cassandralock.internal.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Lists in the log, which may have thousands of items. */
public final class LongLines {

    /** In characters. The item that exceeds it ends the line. */
    private static final int LONGEST_LINE = 4_000;

    private LongLines() {}

    /** Joins the items by commas. The lines together contain each item. */
    public static List<String> of(Collection<String> items) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String item : items) {
            line.append(line.isEmpty() ? "" : ", ").append(item);
            if (line.length() > LONGEST_LINE) {
                lines.add(line.toString());
                line.setLength(0);
            }
        }
        if (!line.isEmpty()) {
            lines.add(line.toString());
        }
        return lines;
    }
}

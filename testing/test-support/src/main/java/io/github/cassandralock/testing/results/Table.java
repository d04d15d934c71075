package io.github.cassandralock.testing.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A table in Markdown.
 *
 * @param title its heading
 * @param head the names of the columns
 * @param rows as many cells each
 */
public record Table(String title, List<String> head, List<List<String>> rows) {

    /** A number with its thousands set apart, with decimals only where they tell something. */
    public static String number(double value) {
        String pattern = Math.abs(value) >= 100 ? "%,.0f" : Math.abs(value) >= 10 ? "%,.1f" : "%,.2f";
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, pattern, value);
    }

    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** @param share 0 to 1 */
    public static String percent(double share) {
        return Double.isNaN(share) ? "" : Math.round(share * 100) + " %";
    }

    /** The lines without the heading. */
    public String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add(line(head));
        lines.add(head.stream().map(cell -> "---").collect(Collectors.joining("|", "|", "|")));
        rows.forEach(row -> lines.add(line(row)));
        return String.join("\n", lines) + "\n";
    }

    private static String line(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }
}

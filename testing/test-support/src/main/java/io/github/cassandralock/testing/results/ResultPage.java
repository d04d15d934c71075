package io.github.cassandralock.testing.results;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page with blocks that are made of files. A block stands between two comments, of which the first one names a directory:
 * {@code results} has all tables of the directory and its plots, {@code price} has the table for a reader in a hurry.
 */
public final class ResultPage {

    private static final Pattern BLOCK =
            Pattern.compile("(<!-- (results|price): (\\S+) -->\n).*?(<!-- end of results -->)", Pattern.DOTALL);

    /** The file with all columns, beside the starts. */
    public static final String REPORT = "report.md";

    /** What processes used over time, of which there are two figures. */
    public static final String SOAK = "soak.json";

    private static final String PRICE = "price";

    private ResultPage() {}

    /**
     * The page with its blocks made anew.
     *
     * @param directory of all results
     */
    public static String filled(String page, Path directory) {
        return BLOCK.matcher(page)
                .replaceAll(block -> Matcher.quoteReplacement(
                        block.group(1) + "\n" + content(directory, block) + "\n" + block.group(4)));
    }

    private static String content(Path directory, MatchResult block) {
        String name = block.group(3);
        return block.group(2).equals(PRICE)
                ? PriceTable.markdown(Run.in(directory.resolve(name)))
                : content(directory, name);
    }

    /** Some commands write their tables themselves, and have no starts. */
    private static String content(Path directory, String name) {
        Path tables = directory.resolve(name).resolve("tables.md");
        if (Files.exists(tables)) {
            return read(tables) + figuresOfSoak(directory.resolve(name));
        }
        List<Run> runs = Run.in(directory.resolve(name));
        List<Result> rows = ResultTables.rowsOfPlots(runs);
        String plots = rows.isEmpty()
                ? ""
                : Arrays.stream(Plot.values())
                        .map(plot -> "\n" + plot.markdown(name, rows))
                        .collect(Collectors.joining());
        return ResultTables.ofPage(runs) + plots;
    }

    private static String figuresOfSoak(Path directory) {
        return Files.exists(directory.resolve(SOAK)) ? """

                        ![Heap of each process after a collection, over the time of mixed work](figures/soak-heap.svg)

                        ![Threads of each process, over the time of mixed work](figures/soak-threads.svg)
                        """ : "";
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The directories of which the page has all tables. */
    public static List<String> names(String page) {
        List<String> names = new ArrayList<>();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            if (!block.group(2).equals(PRICE)) {
                names.add(block.group(3));
            }
        }
        return names;
    }
}

package io.github.cassandralock.testing.results;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page with blocks that are made of files: what is between two comments, of which the first one names a directory. */
public final class ResultPage {

    private static final Pattern BLOCK =
            Pattern.compile("(<!-- results: (\\S+) -->\n).*?(<!-- end of results -->)", Pattern.DOTALL);

    private ResultPage() {}

    /**
     * The page with its blocks made anew.
     *
     * @param directory of all results
     */
    public static String filled(String page, Path directory) {
        return BLOCK.matcher(page)
                .replaceAll(block -> Matcher.quoteReplacement(
                        block.group(1) + "\n" + content(directory, block.group(2)) + "\n" + block.group(3)));
    }

    /** Some commands write their tables themselves, and have no starts. */
    private static String content(Path directory, String name) {
        Path tables = directory.resolve(name).resolve("tables.md");
        if (Files.exists(tables)) {
            return read(tables);
        }
        List<Run> runs = Run.in(directory.resolve(name));
        String figure = runs.isEmpty() ? "" : "\n![Locks a second](figures/" + name + ".svg)\n";
        return ResultTables.markdown(runs) + figure;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The directories that the page names. */
    public static List<String> names(String page) {
        List<String> names = new ArrayList<>();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            names.add(block.group(2));
        }
        return names;
    }
}

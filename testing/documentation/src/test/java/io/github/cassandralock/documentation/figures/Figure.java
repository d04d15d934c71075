package io.github.cassandralock.documentation.figures;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A picture of the documentation.
 *
 * @param source the text file; its first line is the kind of the picture and its title
 * @param lines the lines after the first one, without comments (#) and blank lines
 */
record Figure(Path source, String kind, String title, List<String> lines) {

    private static final String SUFFIX = ".figure.txt";

    /** All sources in a folder. */
    static List<Figure> in(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .map(Figure::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Figure read(Path source) {
        try {
            return of(source, Files.readAllLines(source));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Figure of(Path source, List<String> lines) {
        String[] kindAndTitle = lines.get(0).split(" ", 2);
        return new Figure(
                source,
                kindAndTitle[0],
                kindAndTitle[1],
                lines.stream()
                        .skip(1)
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .toList());
    }

    /** The file of the picture, beside its source. */
    Path picture() {
        String name = source.getFileName().toString();
        return source.resolveSibling(name.substring(0, name.length() - SUFFIX.length()) + ".svg");
    }

    /** The picture as SVG. */
    String drawn() {
        return switch (kind) {
            case "sequence" -> new Sequence(title).drawn(lines);
            case "boxes" -> new Boxes(title).drawn(lines);
            default -> throw new IllegalArgumentException(source + ": no such kind of picture: " + kind);
        };
    }

    /** The lines of a label, which its source separates by |. */
    static List<String> label(String text) {
        return Arrays.stream(text.split("\\|")).map(String::trim).toList();
    }
}

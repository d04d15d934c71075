package io.github.cassandralock.internal.exhaustive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tables for docs/reliability.md. The page shows those that are copied to {@code benchmarks/results}. */
public final class ResultFile {

    private ResultFile() {}

    /**
     * Writes {@code target/results/<name>/tables.md}.
     *
     * @param head the first two lines of the table
     */
    public static void write(String name, String head, List<String> rows) throws IOException {
        writeText(name, "tables.md", head + String.join("", rows));
    }

    /** Writes {@code target/results/<name>/<file>}. */
    public static void writeText(String name, String file, String text) throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "results", name));
        Files.writeString(directory.resolve(file), text);
    }
}

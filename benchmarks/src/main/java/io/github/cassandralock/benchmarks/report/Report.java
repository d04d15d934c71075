package io.github.cassandralock.benchmarks.report;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files that a run leaves.
 *
 * @param directory where they are written to
 */
public record Report(Path directory) {

    public static Report into(Path directory) throws IOException {
        Files.createDirectories(directory);
        return new Report(directory.toAbsolutePath().normalize());
    }

    /** An array with an object for each row. */
    public void json(String name, List<?> rows) throws IOException {
        JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValue(directory.resolve(name).toFile(), rows);
    }

    public void tables(List<Table> tables) throws IOException {
        Files.writeString(
                directory.resolve("tables.md"),
                String.join("\n", tables.stream().map(Table::markdown).toList()));
    }

    public void figure(String name, LineFigure figure) throws IOException {
        try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
            figure.draw(out);
        }
    }
}

package io.github.cassandralock.benchmarks.report;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.cassandralock.testing.results.ResultTables;
import io.github.cassandralock.testing.results.Run;
import io.github.cassandralock.testing.results.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files that a command leaves.
 *
 * @param directory where they are written to
 */
public record Report(Path directory) {

    private static final String TABLES = "tables.md";

    public static Report into(Path directory) throws IOException {
        Files.createDirectories(directory);
        return new Report(directory.toAbsolutePath().normalize());
    }

    /** That of the next fresh start: earlier ones stay. */
    public Report nextStart() throws IOException {
        int number = 1;
        while (Files.exists(Run.start(directory, number))) {
            number++;
        }
        return into(Run.start(directory, number));
    }

    /** An array with an object for each row. */
    public void json(String name, List<?> rows) throws IOException {
        JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValue(directory.resolve(name).toFile(), rows);
    }

    /** The rows of such a file; none if it does not exist. */
    public <T> List<T> rows(String name, Class<T[]> type) throws IOException {
        Path file = directory.resolve(name);
        return Files.exists(file) ? List.of(new JsonMapper().readValue(file.toFile(), type)) : List.of();
    }

    /** Those of what has files of its own; no file if there is nothing. */
    public void tables(List<Table> tables) throws IOException {
        if (!tables.isEmpty()) {
            tables("", tables);
        }
    }

    /** Tables below a line with the day, the commit and the machine of this run. */
    public void tablesOfThisRun(List<Table> tables) throws IOException {
        tables(ThisRun.origin() + "\n\n", tables);
    }

    private void tables(String head, List<Table> tables) throws IOException {
        Files.writeString(
                directory.resolve(TABLES),
                head
                        + String.join(
                                "\n",
                                tables.stream()
                                        .map(table -> "### " + table.title() + "\n\n" + table.markdown())
                                        .toList()));
    }

    /** What the files of all starts give. */
    public void resultTables() throws IOException {
        Files.writeString(directory.resolve(TABLES), ResultTables.ofReport(Run.in(directory)));
    }

    void figure(String name, Figure figure) throws IOException {
        try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
            figure.draw(out);
        }
    }
}

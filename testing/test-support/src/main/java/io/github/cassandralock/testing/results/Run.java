package io.github.cassandralock.testing.results;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What one fresh start of all servers and clients gave: a file.
 *
 * @param date when it began, in UTC
 * @param commit of the project
 * @param machine processors, memory, operating system and JVM
 * @param software names and versions of servers and of clients' libraries
 * @param layout which processors servers and clients had
 * @param options of the command
 * @param notes what a reader has to see first, such as a planted fault
 * @param results the rows
 */
public record Run(
        String date,
        String commit,
        String machine,
        List<String> software,
        String layout,
        List<String> options,
        List<String> notes,
        List<Result> results) {

    /** The name of the file in the directory of its start. */
    public static final String FILE = "results.json";

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    public Run {
        software = Objects.requireNonNullElse(software, List.of()); // files of earlier runs have none
    }

    public Run with(List<Result> rows) {
        return new Run(date, commit, machine, software, layout, options, notes, rows);
    }

    /** Writes the file of a start. */
    public void write(Path start) throws IOException {
        Files.writeString(start.resolve(FILE), JSON.writeValueAsString(this) + "\n");
    }

    /** The directory of the start with this number. */
    public static Path start(Path directory, int number) {
        return directory.resolve("start-" + number);
    }

    /** All starts whose files are in directories of this one, in the order of their numbers; none if there is no such directory. */
    public static List<Run> in(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(start -> start.resolve(FILE))
                    .filter(Files::isRegularFile)
                    .sorted(Comparator.comparing(Path::toString))
                    .map(Run::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Run read(Path file) {
        try {
            return JSON.readValue(file.toFile(), Run.class);
        } catch (IOException e) {
            throw new UncheckedIOException("No results of a benchmark: " + file, e);
        }
    }
}

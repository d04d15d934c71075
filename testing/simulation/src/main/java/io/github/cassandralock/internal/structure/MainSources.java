package io.github.cassandralock.internal.structure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The source files of a module's main code.
 *
 * @param files with their lines
 */
record MainSources(List<SourceFile> files) {

    private static final Pattern API_INTERFACE = Pattern.compile("public (sealed |non-sealed )?@?interface .*");

    record SourceFile(Path path, List<String> lines) {

        boolean isInterfaceOfAnApi() {
            return !path.toString().contains("internal")
                    && lines.stream()
                            .anyMatch(line -> API_INTERFACE.matcher(line).matches());
        }
    }

    static MainSources ofThisModule() {
        try (Stream<Path> paths = Files.walk(Path.of("src", "main"))) {
            return new MainSources(paths.filter(path -> path.toString().matches(".*\\.(java|kt)"))
                    .map(MainSources::read)
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SourceFile read(Path path) {
        try {
            return new SourceFile(path, Files.readAllLines(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FigureRule.Finding longest() {
        List<SourceFile> longest = files.stream()
                .filter(file -> !file.isInterfaceOfAnApi())
                .sorted(Comparator.comparing((SourceFile file) -> -file.lines().size()))
                .limit(3)
                .toList();
        return new FigureRule.Finding(
                longest.get(0).lines().size(),
                longest.stream()
                        .map(file ->
                                file.path().getFileName() + " " + file.lines().size())
                        .toList()
                        .toString());
    }
}

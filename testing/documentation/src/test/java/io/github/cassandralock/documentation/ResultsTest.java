package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.testing.results.ResultPage;
import io.github.cassandralock.testing.results.ResultTables;
import io.github.cassandralock.testing.results.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Costs nothing. Fails if a table of figures is not what the committed files of results give, or a file is in no table. */
class ResultsTest {

    private static final Path RESULTS = Page.root().resolve("benchmarks/results");

    private static Stream<String> pages() {
        return Stream.of(
                "README.md",
                "docs/getting-started.md",
                "docs/capacity.md",
                "docs/performance.md",
                "docs/exactly-once.md",
                "docs/reliability.md",
                "docs/trust.md");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void tablesOfThePageAreThoseThatTheFilesGive(String page) {
        String text = text(page);
        assertThat(text)
                .as("%s; the command 'render --page %s' of the benchmarks makes it anew", page, page)
                .isEqualTo(ResultPage.filled(text, RESULTS));
    }

    private static String text(String page) {
        return Page.textOf(Page.root().resolve(page));
    }

    @Test
    void filesOfEveryDirectoryAreInAPage() throws IOException {
        List<String> names = pages().map(ResultsTest::text)
                .map(ResultPage::names)
                .flatMap(List::stream)
                .toList();
        assertThat(names).contains("peers").containsAll(directories());
    }

    @Test
    void reportsHaveTheTablesThatTheFilesGive() throws IOException {
        for (String name : directories()) {
            List<Run> runs = Run.in(RESULTS.resolve(name));
            if (!runs.isEmpty()) {
                assertThat(RESULTS.resolve(name).resolve(ResultPage.REPORT)).hasContent(ResultTables.ofReport(runs));
            }
        }
    }

    private static List<String> directories() throws IOException {
        if (!Files.isDirectory(RESULTS)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(RESULTS)) {
            return all.filter(Files::isDirectory)
                    .map(directory -> directory.getFileName().toString())
                    .toList();
        }
    }
}

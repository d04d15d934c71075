package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The messages on the pages for operators are those of the code, so that who searches for one finds it. {@code …} stands for what
 * differs from case to case. Costs a fraction of a second; catches messages that were reworded.
 */
class MessagesTest {

    private static final List<String> MODULES = List.of(
            "cassandra-lock-core",
            "cassandra-lock-adapters",
            "cassandra-lock-kotlin",
            "cassandra-lock-spring-boot-autoconfigure",
            "cassandra-lock-test",
            "startup-support",
            "exactly-once",
            "exactly-once-spring-boot-autoconfigure",
            "local-cassandra");

    private static final Pattern MESSAGE = Pattern.compile("^\\| `([^`]+)` \\|");
    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final int SHORTEST_PIECE = 6;

    private final String sources = MODULES.stream().map(MessagesTest::sourcesOf).collect(Collectors.joining());

    @TestFactory
    Stream<DynamicTest> everyMessageIsInTheSources() {
        return Stream.of("docs/troubleshooting.md", "docs/operations.md")
                .flatMap(page -> Page.textOf(Page.root().resolve(page)).lines())
                .map(MESSAGE::matcher)
                .filter(matcher -> matcher.find())
                .map(matcher -> matcher.group(1))
                .filter(message -> message.contains(" "))
                .map(message -> DynamicTest.dynamicTest(
                        message, () -> assertThat(missingPieces(message)).isEmpty()));
    }

    private List<String> missingPieces(String message) {
        List<String> pieces = Stream.of(message.split("…"))
                .map(String::trim)
                .filter(piece -> piece.length() >= SHORTEST_PIECE)
                .toList();
        assertThat(pieces).as("what can be searched for").isNotEmpty();
        return pieces.stream().filter(piece -> !sources.contains(piece)).toList();
    }

    private static String sourcesOf(String module) {
        try (Stream<Path> files = Files.walk(Page.root().resolve(module).resolve("src/main"))) {
            return files.filter(file -> file.toString().matches(".*\\.(java|kt)"))
                    .map(Page::textOf)
                    .map(text -> CONCATENATION.matcher(text).replaceAll(""))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

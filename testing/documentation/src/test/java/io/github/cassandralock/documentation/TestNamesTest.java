package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names of test methods, in all modules, are short enough for the lists in which they are read. */
class TestNamesTest {

    private static final int MOST_CHARACTERS = 70;
    private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");
    private static final Pattern METHOD = Pattern.compile("^    (?:public )?void (\\w+)\\(", Pattern.MULTILINE);

    @Test
    void namesOfTestsHaveSeventyCharactersAtMost() {
        List<String> names = modules().flatMap(TestNamesTest::namesIn).toList();
        assertThat(names).as("all methods").hasSizeGreaterThan(1_000);
        assertThat(names.stream().filter(name -> name.length() > MOST_CHARACTERS))
                .as("names that are too long")
                .isEmpty();
    }

    private static Stream<Path> modules() {
        return MODULE.matcher(Page.textOf(Page.root().resolve("pom.xml")))
                .results()
                .map(module -> Page.root().resolve(module.group(1)).resolve("src/test/java"))
                .filter(Files::isDirectory);
    }

    private static Stream<String> namesIn(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .map(Page::textOf)
                    .flatMap(text -> METHOD.matcher(text).results())
                    .map(method -> method.group(1))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

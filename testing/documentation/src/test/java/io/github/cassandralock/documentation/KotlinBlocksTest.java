package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The Kotlin code of the guide is that of a file which the build of {@code cassandra-lock-kotlin} compiles. Costs nothing; catches names
 * and signatures that have changed.
 */
class KotlinBlocksTest {

    private static final String PAGE = "docs/guide/kotlin.md";
    private static final Path COMPILED =
            Path.of("cassandra-lock-kotlin/src/test/kotlin/io/github/cassandralock/kotlin/GuideExamples.kt");

    private final String compiled = withoutIndentation(Page.textOf(Page.root().resolve(COMPILED)));

    @TestFactory
    Stream<DynamicTest> everyBlockIsCompiled() {
        return Page.blocks("kotlin").stream()
                .filter(block -> block.place().startsWith(PAGE))
                .map(block -> DynamicTest.dynamicTest(
                        block.place(), () -> assertThat(compiled).contains(withoutIndentation(block.text()))));
    }

    @Test
    void blocksAreFound() {
        assertThat(everyBlockIsCompiled()).hasSizeGreaterThan(2);
    }

    private static String withoutIndentation(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}

package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The Java code of the documentation compiles, without warnings. Costs some seconds; catches names, types and
 * signatures that have changed, and code that was never right.
 */
class JavaBlocksTest {

    @TestFactory
    Stream<DynamicTest> everyBlockCompiles() {
        List<CodeBlock> blocks = Page.blocks("java");
        List<List<String>> complaints = complaints(blocks);
        return IntStream.range(0, blocks.size())
                .mapToObj(number -> DynamicTest.dynamicTest(
                        blocks.get(number).place(),
                        () -> assertThat(complaints.get(number)).isEmpty()));
    }

    @Test
    void aBlockThatDoesNotCompileIsNamedByItsLine() {
        List<CodeBlock> blocks = Page.of("page.md", """
                        Text
                        ```java
                        locker.getLock("k").close();
                        locker.lock("k");
                        ```
                        ```java
                        long token = locker.getLock("k").reserveFencingToken();
                        ```
                        """).blocks();
        List<List<String>> complaints = complaints(blocks);
        assertThat(complaints.get(0)).singleElement().asString().contains("page.md:4", "lock(java.lang.String)");
        assertThat(complaints.get(1)).isEmpty();
    }

    private static List<List<String>> complaints(List<CodeBlock> blocks) {
        List<JavaBlock> java = IntStream.range(0, blocks.size())
                .mapToObj(number -> JavaBlock.of(blocks.get(number), number))
                .toList();
        List<List<JavaSources.Complaint>> complaints =
                JavaSources.compile(java.stream().map(JavaBlock::source).toList());
        return IntStream.range(0, blocks.size())
                .mapToObj(number -> complaints.get(number).stream()
                        .map(java.get(number)::placed)
                        .toList())
                .toList();
    }
}

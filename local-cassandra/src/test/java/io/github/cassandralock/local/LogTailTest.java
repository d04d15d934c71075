package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {

    @TempDir
    private Path directory;

    @Test
    void givesTheLastLines() throws IOException {
        assertThat(LogTail.of(file("one\ntwo\nthree\n"), 2)).isEqualTo("two\nthree");
    }

    @Test
    void givesAllOfAShortFile() throws IOException {
        assertThat(LogTail.of(file("one\n"), 40)).isEqualTo("one");
    }

    @Test
    void readsTheEndOfALargeFile() throws IOException {
        String lines = IntStream.range(0, 100_000).mapToObj(n -> "line " + n).collect(Collectors.joining("\n"));

        assertThat(LogTail.of(file(lines), 1)).isEqualTo("line 99999");
    }

    @Test
    void saysSoWhenThereIsNothingToRead() throws IOException {
        assertThat(LogTail.of(directory.resolve("absent.log"), 40)).contains("cannot be read", "absent.log");
        assertThat(LogTail.of(file("\n"), 40)).isEqualTo("(empty)");
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("node.log"), content);
    }
}

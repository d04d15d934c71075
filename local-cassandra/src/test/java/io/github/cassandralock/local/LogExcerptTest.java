package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogExcerptTest {

    @TempDir
    private Path directory;

    @Test
    void givesAllOfAShortRun() throws IOException {
        assertThat(read("one\ntwo\n", 0)).hasToString("one\ntwo");
    }

    @Test
    void leavesOutEarlierRuns() throws IOException {
        assertThat(read("old\nnew\n", "old\n".length())).hasToString("new");
    }

    @Test
    void givesTheLastLinesOfALongRun() throws IOException {
        assertThat(read(lines("INFO  ", 100_000), 0).toString())
                .startsWith("INFO  99960\n")
                .endsWith("INFO  99999");
    }

    @Test
    void givesTheErrorAndTheLastLinesWhereMuchStandsBetween() throws IOException {
        LogExcerpt excerpt = read("INFO  before\nERROR broken\n\tat here\n" + lines("INFO  ", 100), 0);

        assertThat(excerpt.toString())
                .startsWith("ERROR broken\n\tat here\nINFO  0\n")
                .contains("\n...\n")
                .endsWith("INFO  99");
        assertThat(excerpt.toString().lines()).hasSize(41);
    }

    @Test
    void saysSoWhenThereIsNothingToRead() throws IOException {
        assertThat(LogExcerpt.read(directory.resolve("absent.log"), 0).toString())
                .contains("cannot be read", "absent.log");
        assertThat(read("", 0)).hasToString("(empty)");
    }

    private LogExcerpt read(String content, long start) throws IOException {
        return LogExcerpt.read(Files.writeString(directory.resolve("node.log"), content), start);
    }

    private static String lines(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(n -> prefix + n).collect(Collectors.joining("\n"));
    }
}

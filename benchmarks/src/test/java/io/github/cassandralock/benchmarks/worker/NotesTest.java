package io.github.cassandralock.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.testing.statistics.Grant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Costs nothing. Fails if grants are lost or mixed up on their way, or the wrong ones count. */
class NotesTest {

    @TempDir
    private Path directory;

    @Test
    void whatIsNotedIsReadAgain() throws IOException {
        Notes first = new Notes(1);
        Notes second = new Notes(2);
        for (int i = 0; i < 3_000; i++) {
            first.add(i, false, i, i + 1, i + 2);
        }
        second.add(0, true, 7, 8, 9);
        Path file = directory.resolve("grants");
        Notes.write(List.of(first, second), file);
        List<Grant> grants = Notes.read(file, 4);
        assertThat(grants).hasSize(3_001);
        assertThat(grants.get(2_999)).isEqualTo(new Grant(4, 1, 2_999, 2_999, 3_000, 3_001));
        assertThat(grants.get(3_000)).isEqualTo(new Grant(4, 2, 0, 7, 8, 9, true));
    }

    @Test
    void grantsCountFromTheBeginOfThePartOn() {
        Part part = new Part(100, 200, 0, true);
        assertThat(part.counts(99)).isFalse();
        assertThat(part.counts(100)).isTrue();
        assertThat(part.isOver(199, 9)).isFalse();
        assertThat(part.isOver(200, 0)).isTrue();
    }

    @Test
    void aPartIsNotOverBeforeItHasItsLeastNumber() {
        assertThat(new Part(100, 200, 5, true).isOver(300, 4)).isFalse();
        assertThat(new Part(100, 200, 5, true).isOver(300, 5)).isTrue();
    }

    @Test
    void nothingCountsInWorkThatIsToEnd() {
        assertThat(Part.end(100).counts(150)).isFalse();
        assertThat(Part.end(100).isOver(100, 0)).isTrue();
    }
}

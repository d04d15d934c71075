package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {

    @TempDir
    private Path parent;

    @Test
    void temporaryOneIsDeletedWithAllThatIsInIt() throws IOException {
        WorkDirectory work = WorkDirectory.temporary();
        Path root = fill(work);

        work.release();

        assertThat(root).doesNotExist();
    }

    @Test
    void temporaryOneStaysWhenAnErrorNamesIt() throws IOException {
        WorkDirectory work = WorkDirectory.temporary();
        Path root = fill(work);

        work.keep();
        work.release();

        assertThat(root).exists();
        work.clear();
        Files.delete(root);
    }

    @Test
    void givenOneStays() throws IOException {
        WorkDirectory work = WorkDirectory.given(parent.resolve("new"));
        fill(work);

        work.release();

        assertThat(parent.resolve("new/node-1/storage")).exists();
    }

    @Test
    void givenOneMustBeEmpty() throws IOException {
        Files.createFile(parent.resolve("something"));

        assertThatThrownBy(() -> WorkDirectory.given(parent))
                .isInstanceOf(LocalCassandraException.class)
                .hasMessageContaining("not empty");
    }

    private static Path fill(WorkDirectory work) throws IOException {
        NodeDirectory node = work.node(1);
        Files.createDirectories(node.storage());
        Files.createFile(node.storage().resolve("file"));
        return node.root().resolveSibling("");
    }
}

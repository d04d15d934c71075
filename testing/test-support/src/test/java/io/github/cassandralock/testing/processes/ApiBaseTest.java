package io.github.cassandralock.testing.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** Tests of upgrades are never left out unnoticed. Costs nothing. */
class ApiBaseTest {

    @TempDir
    Path directory;

    @Test
    void missingJarsFailTheTestInContinuousIntegration() {
        assertThatThrownBy(() -> ApiBase.requireBuilt(directory.resolve("api-base"), true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(".ci/api-base");
    }

    @Test
    void missingJarsSkipTheTestElsewhere() {
        assertThatThrownBy(() -> ApiBase.requireBuilt(directory.resolve("api-base"), false))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining(".ci/api-base");
    }

    @Test
    void jarsThatAreThereAreUsed() throws IOException {
        Path commit = Files.createFile(directory.resolve("api-base"));
        assertThatCode(() -> ApiBase.requireBuilt(commit, true)).doesNotThrowAnyException();
    }

    @Test
    void aCommitWithThePresentMainSourcesIsNoEarlierVersion() throws Exception {
        Path source = directory.resolve("cassandra-lock-core/src/main/java/Lock.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class Lock {}");
        git("init", "-q");
        git("add", ".");
        git(
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@localhost",
                "-c",
                "commit.gpgsign=false",
                "commit",
                "-q",
                "-m",
                "base");
        assertThat(ApiBase.hasPresentSources(directory, "HEAD", "cassandra-lock"))
                .isTrue();
        Files.writeString(source, "class Lock { int state; }");
        assertThat(ApiBase.hasPresentSources(directory, "HEAD", "cassandra-lock"))
                .isFalse();
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}

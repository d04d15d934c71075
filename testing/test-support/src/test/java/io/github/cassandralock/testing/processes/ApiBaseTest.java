package io.github.cassandralock.testing.processes;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}

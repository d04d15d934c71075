package io.github.cassandralock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.testing.results.Run;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Costs nothing. Fails if a file that is committed names a directory of the machine. */
class ThisRunTest {

    @Test
    void theDirectoryOfTheReportIsLeftOut() {
        Run run = ThisRun.begins(
                "shared", List.of("peers", "--out", "/some/where", "--starts", "3", "--out=/else"), List.of());
        assertThat(run.options()).containsExactly("peers", "--starts", "3");
        assertThat(run.machine()).contains("GiB").doesNotContain("/");
        assertThat(run.commit()).isNotBlank();
    }
}

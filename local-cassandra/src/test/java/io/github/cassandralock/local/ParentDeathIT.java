package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ParentDeathIT {

    private static final Pattern PID = Pattern.compile("node 1: .* pid (\\d+) .*");
    private static final Duration BOUND = Duration.ofSeconds(10);

    @TempDir
    private Path temporary;

    @Test
    @Tag("slow")
    void killedParentLeavesNoNodeBehind() throws Exception {
        Process parent = run(LocalCassandraMain.class);
        ProcessHandle node = awaitNode(parent);

        parent.destroyForcibly();

        await().atMost(BOUND).until(() -> !node.isAlive());
    }

    @Test
    @Tag("slow")
    void killedParentLeavesNoPausedNodeBehind() throws Exception {
        Process parent = run(PausingParent.class);
        ProcessHandle node = awaitNode(parent);

        parent.destroyForcibly();

        await().atMost(BOUND).until(() -> !node.isAlive());
    }

    @Test
    @Tag("slow")
    void terminatedParentCleansUp() throws Exception {
        Process parent = run(LocalCassandraMain.class);
        ProcessHandle node = awaitNode(parent);

        parent.toHandle().destroy();

        assertThat(parent.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(node.isAlive()).isFalse();
        assertThat(temporary).isEmptyDirectory();
    }

    private Process run(Class<?> main) throws IOException {
        String java = ProcessHandle.current().info().command().orElseThrow();
        return new ProcessBuilder(
                        java,
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The stream is left open: it ends with the process. */
    private static ProcessHandle awaitNode(Process parent) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher matcher = PID.matcher(line);
            if (matcher.matches()) {
                return ProcessHandle.of(Long.parseLong(matcher.group(1))).orElseThrow();
            }
        }
        throw new AssertionError("The parent ended before its node was up");
    }
}

package io.github.cassandralock.sample.window;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A copy in a process of its own.
 *
 * @param process to be killed
 * @param log what it says
 */
record RunningCopy(JvmProcess process, Path log) implements AutoCloseable {

    private static final Pattern URL = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");

    /** Returns at once. */
    static RunningCopy start(int surroundingsPort) throws IOException {
        Path log = Files.createTempFile("copy-", ".log");
        log.toFile().deleteOnExit();
        return new RunningCopy(
                JvmProcess.start(WindowApplication.class, List.of("--surroundings.port=" + surroundingsPort), log),
                log);
    }

    long pid() {
        return process.process().pid();
    }

    /** Waits until it has started. */
    String url() {
        return await("copy " + pid())
                .atMost(Duration.ofMinutes(2))
                .failFast(() -> {
                    if (!process.process().isAlive()) {
                        throw new IllegalStateException("The copy did not start:\n" + process.endOfLog());
                    }
                })
                .until(() -> URL.matcher(Files.readString(log)).results().findFirst(), Optional::isPresent)
                .map(MatchResult::group)
                .orElseThrow();
    }

    JsonNode get(String path) throws IOException {
        try (InputStream answer = URI.create(url() + path).toURL().openStream()) {
            return new ObjectMapper().readTree(answer);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}

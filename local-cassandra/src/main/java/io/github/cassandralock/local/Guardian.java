package io.github.cassandralock.local;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Kills a paused node when this JVM ends.
 *
 * <p>A stopped process cannot notice the end of its standard input. During a pause, a small shell waits for a line, and kills the
 * node if the stream ends instead. It ignores signals that a terminal sends to all its processes, because this JVM may end by
 * them.
 */
final class Guardian {

    private static final int TIMEOUT_SECONDS = 5;

    private final Process shell;

    private Guardian(Process shell) {
        this.shell = shell;
    }

    /** @param pid of the process to kill when this JVM ends */
    static Guardian of(long pid) {
        String script = "trap '' HUP INT TERM; read -r line || kill -KILL " + pid;
        try {
            return new Guardian(new ProcessBuilder("sh", "-c", script)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new LocalCassandraException("Cannot run sh to guard process " + pid + " while it is paused", e);
        }
    }

    /** Ends the guardian without a kill. Waits for at most 5 s. */
    void dismiss() {
        try (OutputStream line = shell.getOutputStream()) {
            line.write("dismissed\n".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            if (shell.isAlive()) {
                throw new UncheckedIOException("Cannot reach the guardian of a paused node", e);
            }
        }
        try {
            if (!shell.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                shell.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the guardian has its line and ends by itself
        }
    }
}

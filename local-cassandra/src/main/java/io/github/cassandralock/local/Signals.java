package io.github.cassandralock.local;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Sends the signals for which Java has no method. Blocks for at most 10 s. */
final class Signals {

    private static final int TIMEOUT_SECONDS = 10;

    private Signals() {}

    /** @param name without the {@code SIG} */
    static void send(String name, long pid) {
        String what = "sending SIG" + name + " to process " + pid;
        // The shell's own kill, because slim containers have no such program.
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            Process process = builder.start();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new LocalCassandraException("Timeout while " + what);
            }
            if (process.exitValue() != 0) {
                throw new LocalCassandraException("Failure while " + what + ": is it still running?");
            }
        } catch (IOException e) {
            throw new LocalCassandraException("Cannot run sh for " + what, e);
        } catch (InterruptedException e) {
            throw LocalCassandraException.interrupted(what, e);
        }
    }
}

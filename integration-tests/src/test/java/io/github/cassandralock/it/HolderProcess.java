package io.github.cassandralock.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link LockHolder} in a JVM of its own. */
record HolderProcess(Process process) implements AutoCloseable {

    /** Returns when the process holds the lock. */
    static HolderProcess holding(String lockId, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                lockId));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        StringBuilder output = new StringBuilder();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(LockHolder.HELD)) {
                return new HolderProcess(process);
            }
            output.append(line).append('\n');
        }
        throw new IllegalStateException("The holder ended before it held the lock:\n" + output);
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("process " + process.pid() + " survived SIGKILL");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}

package io.github.cassandralock.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link LockHolder} in a JVM of its own. */
record HolderProcess(Process process, BufferedReader output) implements AutoCloseable {

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
        HolderProcess holder = new HolderProcess(process, process.inputReader(StandardCharsets.UTF_8));
        holder.awaitLine(LockHolder.HELD);
        return holder;
    }

    /** Returns the next line of the process's output that begins so; fails if the process ends before it comes. */
    String awaitLine(String beginning) throws IOException {
        StringBuilder before = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(beginning)) {
                return line;
            }
            before.append(line).append('\n');
        }
        throw new IllegalStateException("The process ended before it said '" + beginning + "':\n" + before);
    }

    /** SIGSTOP: the whole process stands still until {@link #resume()}. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + exit);
        }
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

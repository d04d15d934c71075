package io.github.cassandralock.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A JVM of its own with the test's classes, which dies with the test. */
public record JvmProcess(Process process, BufferedReader output) implements AutoCloseable {

    /** What the process says, on either way, is to be read or awaited: a full pipe stops it. */
    static JvmProcess start(Class<?> main, List<String> arguments) throws IOException {
        Process process = builder(main, arguments).redirectErrorStream(true).start();
        return new JvmProcess(process, process.inputReader(StandardCharsets.UTF_8));
    }

    /** What the process says goes to the end of a file. */
    static JvmProcess start(Class<?> main, List<String> arguments, Path log) throws IOException {
        return start(main, arguments, Map.of(), log);
    }

    /**
     * What the process says goes to the end of a file.
     *
     * @param environment variables besides this process's own
     */
    public static JvmProcess start(Class<?> main, List<String> arguments, Map<String, String> environment, Path log)
            throws IOException {
        ProcessBuilder builder = builder(main, arguments);
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new JvmProcess(process, process.inputReader(StandardCharsets.UTF_8));
    }

    private static ProcessBuilder builder(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command);
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
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    public void resume() throws IOException, InterruptedException {
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

    /** Ends its standard input, which asks it to end; returns when it has. */
    public void stop() throws IOException, InterruptedException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("process " + process.pid() + " did not end");
        }
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() throws InterruptedException {
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

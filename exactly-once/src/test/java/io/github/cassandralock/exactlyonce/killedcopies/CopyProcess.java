package io.github.cassandralock.exactlyonce.killedcopies;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM with the classes of this one, which ends with its standard input at the latest. Used by one thread. */
public final class CopyProcess implements AutoCloseable {

    /** For a machine that runs several servers and JVMs beside it: a quiet one needs a few seconds. */
    private static final int END_SECONDS = 240;

    private final List<String> command;
    private final Path log;
    private Process process;
    private boolean stopped;

    private CopyProcess(List<String> command, Path log, Process process) {
        this.command = command;
        this.log = log;
        this.process = process;
    }

    /**
     * What it says goes to the end of a file.
     *
     * @param main the class of the program
     */
    public static CopyProcess start(Class<?> main, List<String> arguments, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new CopyProcess(command, log, started(command, log));
    }

    private static Process started(List<String> command, Path log) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isStopped() {
        return stopped;
    }

    /** SIGKILL, also of a process that is stopped; returns when the process is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
        stopped = false;
    }

    /** Starts it again after {@link #kill()}. */
    public void startAgain() throws IOException {
        process = started(command, log);
    }

    /** SIGSTOP: the process stands still until {@link #resume()}. */
    public void stop() throws IOException, InterruptedException {
        signal("STOP");
        stopped = true;
    }

    /** SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
        stopped = false;
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill -" + name + " of process " + pid() + " ended with " + exit);
        }
    }

    /** Ends its standard input, and returns when it has closed its copies and ended. */
    void end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        awaitEnd();
    }

    /** Waits for a process that ends by itself. Returns its exit status. */
    public int awaitExit() throws InterruptedException {
        awaitEnd();
        return process.exitValue();
    }

    private void awaitEnd() throws InterruptedException {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("process " + pid() + " did not end within " + END_SECONDS + " s");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

package io.github.cassandralock.benchmarks.worker;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A JVM with a {@link Worker}, which ends with this one. For one thread that orders and one that awaits. */
final class WorkerProcess implements AutoCloseable {

    private static final int END_SECONDS = 20;
    private static final int SHOWN_OF_LOG = 4_000;

    private final int number;
    private final Path log;
    private final Process process;
    private final BufferedWriter orders;
    private final BufferedReader answers;
    private final Lines lines = new Lines();

    private WorkerProcess(int number, Path log, Process process) {
        this.number = number;
        this.log = log;
        this.process = process;
        orders = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    static WorkerProcess start(int number, Class<?> main, String argument, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx384m"));
        command.addAll(program(main));
        command.addAll(List.of(argument, Integer.toString(number)));
        try {
            return new WorkerProcess(
                    number,
                    log,
                    new ProcessBuilder(command).redirectError(log.toFile()).start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command, e);
        }
    }

    /** This program once more: from its jar, or from where a build has its classes. */
    private static List<String> program(Class<?> main) {
        String classPath = System.getProperty("java.class.path");
        boolean isOneJar = main.getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getProtocol()
                .equals("jar");
        return isOneJar ? List.of("-jar", classPath) : List.of("-cp", classPath, main.getName());
    }

    void order(Order order) {
        try {
            orders.write(lines.write(order));
            orders.newLine();
            orders.flush();
        } catch (IOException e) {
            throw died(e);
        }
    }

    /** Waits until the order is carried out; the end of the process ends the waiting. */
    Answer await() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw died(null);
            }
            return lines.read(line, Answer.class);
        } catch (IOException e) {
            throw died(e);
        }
    }

    private IllegalStateException died(@Nullable IOException cause) {
        return new IllegalStateException(
                "Worker process " + number + " has died, so this run is void. The end of " + log + ":\n" + endOfLog(),
                cause);
    }

    private String endOfLog() {
        try {
            String text = Files.readString(log);
            return text.substring(Math.max(0, text.length() - SHOWN_OF_LOG));
        } catch (IOException e) {
            return "(cannot be read: " + e + ")";
        }
    }

    /** Asks for the end; {@link #close()} awaits it. */
    void end() {
        try {
            orders.close();
        } catch (IOException e) {
            process.destroy(); // its input is broken, so it may not see the end
        }
    }

    @Override
    public void close() {
        end();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

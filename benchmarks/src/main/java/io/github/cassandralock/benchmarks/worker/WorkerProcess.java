package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A JVM with a {@link Worker}, which ends with this one. For one thread that orders and one that awaits. */
final class WorkerProcess implements AutoCloseable {

    private static final long END_SECONDS = 20L;

    private final int number;
    private final JvmProcess process;
    private final BufferedWriter orders;
    private final Lines lines = new Lines();

    private WorkerProcess(int number, JvmProcess process) {
        this.number = number;
        this.process = process;
        orders = process.process().outputWriter(StandardCharsets.UTF_8);
    }

    static WorkerProcess start(int number, Program program, Path log) {
        try {
            return new WorkerProcess(number, program.start(number, log));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start worker process " + number, e);
        }
    }

    long pid() {
        return process.process().pid();
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
            String line = process.output().readLine();
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
                "Worker process " + number + " has died, so this run is void. The end of "
                        + process.log().orElseThrow() + ":\n" + process.endOfLog(),
                cause);
    }

    /** Asks for the end; {@link #close()} awaits it. */
    void end() {
        try {
            orders.close();
        } catch (IOException e) {
            process.process().destroy(); // its input is broken, so it may not see the end
        }
    }

    @Override
    public void close() {
        end();
        try {
            if (!process.endsWithin(END_SECONDS * 1_000)) {
                process.process().destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.process().destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

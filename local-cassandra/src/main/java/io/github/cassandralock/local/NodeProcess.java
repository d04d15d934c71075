package io.github.cassandralock.local;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of a node, from launch to exit. Thread-safe. */
final class NodeProcess {

    private static final Duration KILL_BOUND = Duration.ofSeconds(10);
    /** Options for the application's JVM, which another version would refuse. */
    private static final List<String> JAVA_VARIABLES =
            List.of("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private final Process process;
    private final long logStart;
    private final NodeReports reports;
    private final ClusterViews views;
    private final ReentrantLock pausing = new ReentrantLock();
    private volatile @Nullable Guardian guardian;

    private NodeProcess(Process process, long logStart, NodeReports reports, ClusterViews views) {
        this.process = process;
        this.logStart = logStart;
        this.reports = reports;
        this.views = views;
    }

    /** @param name for the thread that reads the process's reports, and ends with it */
    static NodeProcess launch(String name, NodeLaunch launch, ClusterViews views) {
        NodeDirectory directory = launch.directory();
        ProcessBuilder builder = new ProcessBuilder(launch.command())
                .directory(directory.root().toFile())
                .redirectError(
                        ProcessBuilder.Redirect.appendTo(directory.logFile().toFile()));
        Map<String, String> environment = builder.environment();
        JAVA_VARIABLES.forEach(environment::remove);
        environment.putAll(launch.environment());
        try {
            long logStart = directory.logFile().toFile().length();
            Process process = builder.start();
            NodeReports reports = new NodeReports(views::announceChange);
            Thread reader = new Thread(() -> reports.readAll(process.getInputStream()), name + "-reports");
            reader.setDaemon(true);
            reader.start();
            return new NodeProcess(process, logStart, reports, views);
        } catch (IOException e) {
            throw new LocalCassandraException("Cannot run " + launch.command().get(0) + " in " + directory.root(), e);
        }
    }

    boolean isAlive() {
        return handles().anyMatch(ProcessHandle::isAlive);
    }

    boolean hasStarted() {
        return reports.started();
    }

    /** Whether the process has closed its output. It exits within moments after that. */
    boolean hasEnded() {
        return reports.ended();
    }

    /** Whether the node takes part in the cluster, as its reports show. */
    boolean isActive() {
        return hasStarted() && !hasEnded() && !isPaused();
    }

    boolean isPaused() {
        return guardian != null;
    }

    long pid() {
        return reports.pid().orElseGet(process::pid);
    }

    Map<String, String> view() {
        return reports.view();
    }

    /** Where this run begins in the node's log. */
    long logStart() {
        return logStart;
    }

    /** The exit code. Waits up to 10 s for the exit that follows the end of the reports. */
    String exitCode() {
        return awaitExit(KILL_BOUND) ? Integer.toString(process.exitValue()) : "none yet";
    }

    /** Sends SIGTERM, and SIGKILL if the process is still there after the bound. */
    void terminate(Duration bound) {
        resume(); // a stopped process does not act on SIGTERM
        ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroy);
        if (!awaitExit(bound)) {
            kill();
        }
    }

    /** Sends SIGKILL, without waiting for its effect. */
    void sendKill() {
        // By handle: to destroy the Process itself would close streams under their reader.
        handles().forEach(ProcessHandle::destroyForcibly);
    }

    /**
     * Sends SIGKILL, and blocks until the process is gone, for at most 10 s.
     *
     * @throws LocalCassandraException if it is still there
     */
    void kill() {
        sendKill();
        boolean gone = awaitExit(KILL_BOUND);
        dismissGuardian();
        if (!gone) {
            throw new LocalCassandraException(
                    "Process " + pid() + " is still there " + KILL_BOUND.toSeconds() + " s after SIGKILL");
        }
    }

    void pause() {
        pausing.lock();
        try {
            if (isPaused()) {
                return;
            }
            Guardian started = Guardian.of(pid());
            guardian = started;
            try {
                Signals.send("STOP", pid());
            } catch (LocalCassandraException e) {
                dismissGuardian();
                throw e;
            }
        } finally {
            pausing.unlock();
        }
        views.announceChange();
    }

    void resume() {
        pausing.lock();
        try {
            if (isPaused() && isAlive()) {
                Signals.send("CONT", pid());
            }
            dismissGuardian();
        } finally {
            pausing.unlock();
        }
        views.announceChange();
    }

    private void dismissGuardian() {
        pausing.lock();
        try {
            Guardian present = guardian;
            guardian = null;
            if (present != null) {
                present.dismiss();
            }
        } finally {
            pausing.unlock();
        }
    }

    /** The process started here and, if a command prefix stays its parent, the JVM below it. */
    private Stream<ProcessHandle> handles() {
        return Stream.concat(
                Stream.of(process.toHandle()),
                reports.pid().stream()
                        .filter(pid -> pid != process.pid())
                        .mapToObj(ProcessHandle::of)
                        .flatMap(handle -> handle.stream()));
    }

    /** Waits even if it is interrupted, because its callers rely on the exit. The interrupt stays set. */
    private boolean awaitExit(Duration bound) {
        CompletableFuture<?> exit =
                CompletableFuture.allOf(handles().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
        long deadline = System.nanoTime() + bound.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    exit.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException | ExecutionException e) {
                    return !isAlive();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

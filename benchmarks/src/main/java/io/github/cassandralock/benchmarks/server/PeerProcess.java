package io.github.cassandralock.benchmarks.server;

import io.github.cassandralock.local.LogExcerpt;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

/** One process of a peer, with the temporary directory it runs in. */
final class PeerProcess {

    private static final Logger log = LoggerFactory.getLogger(PeerProcess.class);

    /** More than its guard gives the process to end by itself. */
    private static final Duration END_BOUND = Duration.ofSeconds(10);
    /** Nothing else is handed on: much of it could configure a server, such as a JVM's options. */
    private static final Set<String> VARIABLES = Set.of("PATH", "TMPDIR", "ETCD_UNSUPPORTED_ARCH");

    private final NodePlan plan;
    private final Path directory;
    /** Open from the start: when the process ends by itself, its guard deletes the file. */
    private final FileChannel serverLog;

    private final Process process;

    private PeerProcess(NodePlan plan, Path directory, FileChannel serverLog, Process process) {
        this.plan = plan;
        this.directory = directory;
        this.serverLog = serverLog;
        this.process = process;
    }

    static PeerProcess launch(NodePlan plan) {
        try {
            Path directory =
                    Files.createTempDirectory("cassandra-lock-benchmarks-").toRealPath();
            try {
                prepare(plan, directory);
                return launch(plan, directory);
            } catch (IOException | RuntimeException e) {
                FileSystemUtils.deleteRecursively(directory); // there is no guard that would
                throw e;
            }
        } catch (IOException e) {
            throw new PeerServerException("Cannot run " + plan.name() + ": " + e, e);
        }
    }

    private static void prepare(NodePlan plan, Path directory) throws IOException {
        for (Map.Entry<String, String> file : plan.files().entrySet()) {
            Path target = directory.resolve(file.getKey());
            Files.createDirectories(target.resolveSibling("."));
            Files.writeString(target, file.getValue());
        }
        if (plan.user().isPresent()) {
            Files.setOwner(
                    directory,
                    directory
                            .getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName(plan.user().get()));
        }
    }

    private static PeerProcess launch(NodePlan plan, Path directory) throws IOException {
        Path file = Files.createFile(directory.resolve("server.log"));
        FileChannel serverLog = FileChannel.open(file);
        try {
            return new PeerProcess(plan, directory, serverLog, run(plan, directory, file));
        } catch (IOException | RuntimeException e) {
            serverLog.close();
            throw e;
        }
    }

    private static Process run(NodePlan plan, Path directory, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(GuardedCommand.of(plan, directory))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().retainAll(VARIABLES);
        return builder.start();
    }

    /** False also if the node cannot be asked. */
    boolean serves() {
        try {
            return plan.readiness().serves();
        } catch (IOException | SQLException e) {
            return false;
        }
    }

    /** @throws PeerServerException if the process has ended */
    void requireRunning() {
        if (!process.isAlive()) {
            throw failure("ended with exit code " + process.exitValue() + " before it served");
        }
    }

    /** @param what the node did or did not do */
    PeerServerException failure(String what) {
        return new PeerServerException(
                plan.name() + " " + what + ". The end of its log:\n" + LogExcerpt.read(serverLog, 0));
    }

    /** Has the guard end the process. */
    void beginClose() {
        closeQuietly(process.getOutputStream());
        closeQuietly(serverLog);
    }

    private void closeQuietly(Closeable resource) {
        try {
            resource.close();
        } catch (IOException e) {
            log.debug("Cannot close a stream of {}; no data is lost", plan.name(), e);
        }
    }

    /** Waits, within a bound, until process and directory are gone. Follows {@link #beginClose}. */
    void finishClose() {
        Deadline deadline = Deadline.in(END_BOUND);
        try {
            while (!isGone()) {
                if (deadline.isOver()) {
                    giveUp();
                    return;
                }
                deadline.pause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the guard does its work all the same
        }
    }

    private boolean isGone() {
        return !process.isAlive() && Files.notExists(directory);
    }

    private void giveUp() {
        process.destroyForcibly();
        log.warn(
                "{} with process id {} and directory {} was not gone after {} s. It was sent SIGKILL;"
                        + " delete the directory if it is still there",
                plan.name(),
                process.pid(),
                directory,
                END_BOUND.toSeconds());
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    Path directory() {
        return directory;
    }
}

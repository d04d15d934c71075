package io.github.cassandralock.exactlyonce.store.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server of the operating system's packages, as a child process in a temporary folder. A shell beside it ends it when this JVM
 * closes the shell's standard input, or is no more.
 */
final class ServerProcess implements AutoCloseable {

    private static final Duration START_BOUND = Duration.ofSeconds(60);
    private static final Duration END_BOUND = Duration.ofSeconds(20);
    private static final long BETWEEN_LOOKS_MILLIS = 50;

    /** The server's standard input is not the shell's. */
    private static final String GUARD = """
            signal=$1
            shift
            "$@" </dev/null &
            read -r line
            kill -s "$signal" $!
            wait
            """;

    private final Process process;
    private final Path directory;

    private ServerProcess(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    static ServerProcess start(Path directory, String endSignal, List<String> command, Callable<Boolean> serves) {
        List<String> words = new ArrayList<>(List.of("sh", "-c", GUARD, "guard", endSignal));
        words.addAll(command);
        try {
            Path log = Files.createTempFile("exactly-once-server-", ".log");
            Process process = new ProcessBuilder(words)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            ServerProcess server = new ServerProcess(process, directory);
            try {
                server.await(serves, log);
                return server;
            } catch (RuntimeException | Error e) {
                server.close();
                throw e;
            } finally {
                Files.delete(log); // it stays open for the server
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command, e);
        }
    }

    private void await(Callable<Boolean> serves, Path log) throws IOException {
        long startedAt = System.nanoTime();
        while (!answers(serves)) {
            if (!process.isAlive() || System.nanoTime() - startedAt > START_BOUND.toNanos()) {
                throw new IllegalStateException("The server did not start: " + Files.readString(log));
            }
            pause();
        }
    }

    private static boolean answers(Callable<Boolean> serves) {
        try {
            return serves.call();
        } catch (Exception e) {
            return false; // not yet
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a server was starting", e);
        }
    }

    /** A temporary folder of the server's own user. */
    static Path directory(boolean ofPostgres) {
        try {
            Path directory = Files.createTempDirectory("exactly-once-server-").toRealPath();
            if (ofPostgres) {
                Files.setOwner(
                        directory,
                        directory
                                .getFileSystem()
                                .getUserPrincipalLookupService()
                                .lookupPrincipalByName("postgres"));
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static InetSocketAddress freeAddress() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(END_BOUND.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            delete();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void delete() throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}

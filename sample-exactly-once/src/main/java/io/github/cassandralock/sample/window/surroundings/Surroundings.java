package io.github.cassandralock.sample.window.surroundings;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * This copy's connection to the surroundings, which live for as long as a copy is connected. They are started if there
 * are none: as a process of their own, since this one is there to be killed.
 *
 * @param connection held until this copy ends
 * @param addresses where everything is
 */
record Surroundings(Socket connection, Addresses addresses) implements AutoCloseable {

    private static final Duration GREETING_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_START = Duration.ofMinutes(1);
    private static final long LOOKS_MILLIS = 100;

    /** Cassandra may have to be downloaded. */
    private static final Duration LONGEST_PREPARATION = Duration.ofMinutes(15);

    /**
     * Connects to the surroundings at a port of loopback, and starts them if nobody listens there. Blocks until they
     * are ready.
     *
     * @throws IllegalStateException if they do not start, or another program has the port
     * @throws InterruptedException if the thread was interrupted; it is not connected then
     */
    static Surroundings join(int port) throws InterruptedException {
        try {
            Optional<Socket> present = connect(port);
            return visit(present.isPresent() ? present.get() : started(port));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The process with Cassandra and the database has ended: either it failed, see above, or the last copy"
                            + " had just left it. Start this copy again",
                    e);
        }
    }

    private static Surroundings visit(Socket socket) throws IOException, InterruptedException {
        try {
            return greeted(socket);
        } catch (IOException | InterruptedException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static Optional<Socket> connect(int port) throws IOException {
        try {
            return Optional.of(new Socket(InetAddress.getLoopbackAddress(), port));
        } catch (java.net.ConnectException e) {
            return Optional.empty();
        }
    }

    /** Two copies may do this at the same time: of the two processes, the one that gets the port stays. */
    private static Socket started(int port) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(port))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long end = System.nanoTime() + LONGEST_START.toNanos();
        while (System.nanoTime() < end) {
            Optional<Socket> socket = connect(port);
            if (socket.isPresent()) {
                return socket.get();
            }
            if (!process.isAlive()) {
                break;
            }
            Thread.sleep(LOOKS_MILLIS);
        }
        process.destroy();
        throw new IllegalStateException("The process with Cassandra and the database does not listen at port " + port
                + "; see above, or choose another port by --surroundings.port");
    }

    /** It ignores Ctrl-C, which the terminal sends to all of its processes: other copies may still need it. */
    private static List<String> command(int port) {
        return List.of(
                "sh",
                "-c",
                "trap '' HUP INT; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dlogback.configurationFile=surroundings-logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                SurroundingsMain.class.getName(),
                Integer.toString(port));
    }

    private static Surroundings greeted(Socket socket) throws IOException, InterruptedException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        socket.setSoTimeout(Math.toIntExact(GREETING_TIMEOUT.toMillis()));
        if (!isGreeting(reader)) {
            throw new IllegalStateException("Another program listens at port " + socket.getPort()
                    + ": choose another port, for all copies the same, by --surroundings.port");
        }
        socket.setSoTimeout(Math.toIntExact(LONGEST_PREPARATION.toMillis()));
        return new Surroundings(socket, addresses(reader));
    }

    /**
     * Waits for what a thread of its own reads, since no interrupt ends a read: Ctrl-C would do nothing until Cassandra
     * is ready. The thread ends with the connection at the latest.
     */
    private static Addresses addresses(BufferedReader reader) throws IOException, InterruptedException {
        FutureTask<Addresses> reading = new FutureTask<>(() -> Addresses.readFrom(reader));
        Thread thread = new Thread(reading, "surroundings");
        thread.setDaemon(true);
        thread.start();
        try {
            return reading.get();
        } catch (ExecutionException e) {
            throw new IOException("The addresses were not told", e.getCause());
        }
    }

    private static boolean isGreeting(BufferedReader reader) throws IOException {
        try {
            return Visitors.GREETING.equals(reader.readLine());
        } catch (java.net.SocketTimeoutException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}

package io.github.cassandralock.sample.window.surroundings;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies that are connected. A connection says nothing but that its copy lives: it closes with the process of the
 * copy, however that ends. One thread accepts them, and one waits for the end of each; daemons, all of them.
 */
final class Visitors implements AutoCloseable {

    /** What a copy reads first, so that it does not take another program for this one. */
    static final String GREETING = "cassandra-lock sample-exactly-once 1";

    private static final Logger log = LoggerFactory.getLogger(Visitors.class);

    /** Whoever started this process connects at once, unless it was killed. */
    private static final long FIRST_SECONDS = 60;

    private final ServerSocket socket;
    private final CompletableFuture<Addresses> addresses = new CompletableFuture<>();

    /** Its first phase ends when all that came have left. */
    private final Phaser visitors = new Phaser();

    private final CompletableFuture<Boolean> first = new CompletableFuture<>();

    Visitors(ServerSocket socket) {
        this.socket = socket;
        daemon("visitors", this::accept);
    }

    private static void daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket visitor = socket.accept();
                if (visitors.register() < 0) {
                    visitor.close(); // the last one has just left
                    return;
                }
                first.complete(true);
                daemon("visitor-" + visitor.getPort(), () -> host(visitor));
            }
        } catch (IOException e) {
            log.debug("No more visitors", e);
        }
    }

    private void host(Socket visitor) {
        try (visitor) {
            PrintWriter writer = new PrintWriter(visitor.getOutputStream(), true, StandardCharsets.UTF_8);
            writer.println(GREETING);
            addresses.get().writeTo(writer);
            while (visitor.getInputStream().read() >= 0) {
                // a copy says nothing
            }
        } catch (IOException | ExecutionException | CancellationException e) {
            log.debug("A copy is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            visitors.arriveAndDeregister();
        }
    }

    /** Tells all visitors, those that wait and those that come. */
    void tell(Addresses where) {
        addresses.complete(where);
    }

    /** Waits until all that came have left. Returns if nobody comes at first. */
    void awaitLast() throws InterruptedException, ExecutionException {
        try {
            first.get(FIRST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            log.warn("No copy has come within {} s", FIRST_SECONDS);
            return;
        }
        visitors.awaitAdvanceInterruptibly(0);
        log.info("The last copy has left; Cassandra and the database end with it");
    }

    @Override
    public void close() throws IOException {
        addresses.cancel(false);
        socket.close();
    }
}

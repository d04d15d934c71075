package io.github.cassandralock.sample.window.surroundings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How copies find the surroundings, and for how long these stay. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class VisitorsTest {

    private static final Addresses ADDRESSES = new Addresses("127.0.0.1:9042", "datacenter1", "jdbc:h2:mem:sample");

    private static ServerSocket anyPort() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static CompletableFuture<Boolean> lastLeft(Visitors visitors) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                visitors.awaitLast();
                return true;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void surroundingsStayUntilTheLastCopyHasLeft() throws Exception {
        try (ServerSocket socket = anyPort();
                Visitors visitors = new Visitors(socket)) {
            visitors.tell(ADDRESSES);
            CompletableFuture<Boolean> end = lastLeft(visitors);
            Surroundings first = Surroundings.join(socket.getLocalPort());
            Surroundings second = Surroundings.join(socket.getLocalPort());
            assertThat(first.addresses()).isEqualTo(ADDRESSES);
            first.close();
            Surroundings third = Surroundings.join(socket.getLocalPort());
            second.close();
            assertThat(end).isNotDone();
            third.close();
            assertThat(end.get()).isTrue();
        }
    }

    @Test
    void copyThatComesTooEarlyWaits() throws Exception {
        try (ServerSocket socket = anyPort();
                Visitors visitors = new Visitors(socket)) {
            CompletableFuture<Surroundings> early = CompletableFuture.supplyAsync(() -> {
                try {
                    return Surroundings.join(socket.getLocalPort());
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            visitors.tell(ADDRESSES);
            try (Surroundings surroundings = early.get()) {
                assertThat(surroundings.addresses()).isEqualTo(ADDRESSES);
            }
        }
    }

    /** As when Ctrl-C is typed while Cassandra is downloaded. */
    @Test
    void copyThatIsInterruptedWhileItWaitsLeaves() throws Exception {
        try (ServerSocket socket = anyPort();
                Visitors visitors = new Visitors(socket)) {
            FutureTask<Surroundings> joining = new FutureTask<>(() -> Surroundings.join(socket.getLocalPort()));
            Thread copy = new Thread(joining, "copy");
            copy.start();
            // In no other state does Spring interrupt a start.
            await().until(() -> copy.getState() == Thread.State.WAITING);
            copy.interrupt();
            assertThatThrownBy(joining::get).hasCauseInstanceOf(InterruptedException.class);
            visitors.tell(ADDRESSES);
            assertThat(lastLeft(visitors).get()).isTrue();
        }
    }

    @Test
    void anotherProgramAtThePortIsRefused() throws Exception {
        try (ServerSocket socket = anyPort()) {
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
                try (Socket connection = socket.accept()) {
                    connection.getOutputStream().write("220 mail\r\n".getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> Surroundings.join(socket.getLocalPort()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Another program listens at port " + socket.getLocalPort());
            other.get();
        }
    }
}

package io.github.cassandralock.exactlyonce.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stands in front of a server on loopback. Requests always pass; answers can be lost. Thread-safe. */
public final class AnswerLosingProxy implements Closeable {

    private static final int BUFFER = 64 * 1024;

    /** Answers are lost in this way, and the latch tells of the first. */
    private record Loss(LostAnswers.Way way, CountDownLatch happened) {}

    private record Connection(Socket client, Socket server) {

        void close() {
            closeQuietly(client);
            closeQuietly(server);
        }
    }

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "answer-losing-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    /** Those whose clients have missed bytes: they cannot be used any more. */
    private final Set<Connection> spoiled = ConcurrentHashMap.newKeySet();

    private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();

    public AnswerLosingProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    public void lose(LostAnswers.Way way) {
        loss.set(new Loss(way, new CountDownLatch(1)));
    }

    public void awaitLoss() throws InterruptedException {
        Loss present = loss.get();
        if (present == null || !present.happened().await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("No answer was lost within half a minute");
        }
    }

    public void answer() {
        loss.set(null);
        spoiled.forEach(Connection::close);
        spoiled.clear();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                try {
                    Connection connection = new Connection(client, new Socket(target.getAddress(), target.getPort()));
                    connections.add(connection);
                    threads.execute(() -> relay(connection, client, connection.server(), false));
                    threads.execute(() -> relay(connection, connection.server(), client, true));
                } catch (IOException e) {
                    closeQuietly(client); // the server is not there
                }
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void relay(Connection connection, Socket from, Socket to, boolean answers) {
        byte[] bytes = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (!answers || !isLost(connection)) {
                    out.write(bytes, 0, count);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // either side has gone
        } finally {
            connection.close();
            connections.remove(connection);
        }
    }

    private boolean isLost(Connection connection) {
        Loss present = loss.get();
        if (present == null) {
            return spoiled.contains(connection);
        }
        switch (present.way()) {
            case SILENCE -> spoiled.add(connection);
            case CUT -> connection.close();
        }
        present.happened().countDown();
        return true;
    }

    private static void closeQuietly(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use any more
        }
    }

    @Override
    public void close() {
        closeQuietly(listener);
        connections.forEach(Connection::close);
        threads.shutdownNow();
    }
}

package io.github.cassandralock.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Passes connections on to the same port of another address, keeps what it passed on, and sends it again. */
final class RecordingRelay implements AutoCloseable {

    private static final int AT_ONCE = 8_192;

    private final ServerSocket server;
    private final InetAddress target;
    private final List<ByteArrayOutputStream> recorded = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private int sentAgain;
    private int closedAgain;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> new Thread(task, "relay"));

    /** @param address where it listens, at any port */
    RecordingRelay(InetAddress address, InetAddress target) throws IOException {
        this.server = new ServerSocket(0, 0, address);
        this.target = target;
        threads.execute(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                relay(server.accept());
            } catch (IOException e) {
                // it was closed, or whom it passes on to is not there: the connection ends
            }
        }
    }

    private void relay(Socket from) throws IOException {
        sockets.add(from);
        Socket to = connect();
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        recorded.add(record);
        threads.execute(() -> pump(from, to, record));
        threads.execute(() -> pump(to, from, OutputStream.nullOutputStream()));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.connect(new InetSocketAddress(target, port()));
        return socket;
    }

    private static void pump(Socket from, Socket to, OutputStream record) {
        byte[] bytes = new byte[AT_ONCE];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                synchronized (record) {
                    record.write(bytes, 0, read);
                }
                to.getOutputStream().write(bytes, 0, read);
            }
        } catch (IOException e) {
            // one of the sides has closed
        }
    }

    /** How many bytes it has passed on. */
    int passedOn() {
        return recorded.stream().mapToInt(ByteArrayOutputStream::size).sum();
    }

    /** Sends everything again that was passed on until now, on connections of its own, and waits for their end. */
    void sendAgain() throws IOException {
        for (ByteArrayOutputStream record : recorded) {
            byte[] bytes;
            synchronized (record) {
                bytes = record.toByteArray();
            }
            if (bytes.length > 0) {
                sendAgain(bytes);
            }
        }
    }

    private void sendAgain(byte[] bytes) throws IOException {
        sentAgain++;
        try (Socket again = connect()) {
            again.setSoTimeout(4_000); // less than the time that strangers have
            again.getOutputStream().write(bytes);
            again.getInputStream().readAllBytes();
            closedAgain++;
        } catch (SocketTimeoutException open) {
            // the other side listens to what it has heard already
        } catch (SocketException reset) {
            closedAgain++;
        }
    }

    /** How many connections have sent something again. */
    int sentAgain() {
        return sentAgain;
    }

    /** How many of them the other side has closed at once. */
    int closedAgain() {
        return closedAgain;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdown();
        threads.awaitTermination(1, TimeUnit.MINUTES);
    }
}

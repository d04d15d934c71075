package io.github.cassandralock.internal.startup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes connections at a port of this machine, and answers each in the same way. */
final class Listener implements AutoCloseable {

    private static final int BACKLOG = 50;
    private static final byte[] SUPPORTED = {(byte) 0x84, 0, 0, 0, 6, 0, 0, 0, 0};

    @FunctionalInterface
    interface Answer {

        /** As a node. */
        Answer OF_NODE = client -> client.getOutputStream().write(SUPPORTED);

        /** As a proxy whose node is down. */
        Answer CLOSING = client -> {};

        void to(Socket client) throws IOException;
    }

    private final ServerSocket socket;
    private final AtomicInteger connections = new AtomicInteger();
    private final Thread thread = new Thread(this::listen, "listener");

    private volatile Answer answer;

    Listener(Answer answer) {
        this.answer = answer;
        try {
            socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** A port at which nobody listens. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen() {
        try {
            while (true) {
                try (Socket client = socket.accept()) {
                    connections.incrementAndGet();
                    answer.to(client);
                }
            }
        } catch (IOException e) {
            // it is closed
        }
    }

    /** From the next connection on. */
    void answer(Answer other) {
        answer = other;
    }

    int port() {
        return socket.getLocalPort();
    }

    int connections() {
        return connections.get();
    }

    /** Waits for the thread, because a socket takes a connection after its end as long as a thread is in {@code accept}. */
    @Override
    public void close() {
        try {
            socket.close();
            thread.interrupt();
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.github.cassandralock.benchmarks.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Chooses loopback ports at which no process listens.
 *
 * <p>They are random, which keeps runs that start at the same moment apart, and from below the ranges operating systems
 * give to outgoing connections: none of these takes a port between its choice and the server's start.
 */
final class LoopbackPorts {

    static final String HOST = "127.0.0.1";

    private static final int LOWEST_PORT = 10_000;
    private static final int HIGHEST_PORT = 30_000;
    private static final int ATTEMPTS = 1_000;

    private LoopbackPorts() {}

    /** @throws PeerServerException if there are not as many */
    static List<Integer> choose(int count) {
        List<Integer> ports = candidates()
                .distinct()
                .filter(LoopbackPorts::isFree)
                .limit(count)
                .boxed()
                .toList();
        if (ports.size() < count) {
            throw new PeerServerException("Fewer than " + count + " ports between " + LOWEST_PORT + " and "
                    + HIGHEST_PORT + " were found free on " + HOST + " in " + ATTEMPTS + " attempts");
        }
        return ports;
    }

    static InetSocketAddress address(int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    private static IntStream candidates() {
        return ThreadLocalRandom.current().ints(ATTEMPTS, LOWEST_PORT, HIGHEST_PORT);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

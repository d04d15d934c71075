package io.github.cassandralock.local;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a start of a node needs, at first and later.
 *
 * @param number from 1
 * @param of how many nodes there are
 * @param environment added to the parent's
 * @param startTimeout from launch until the node is up
 * @param changed what a start with changed options needs
 */
record NodeLaunch(
        int number,
        int of,
        InetSocketAddress address,
        NodeDirectory directory,
        List<String> command,
        Map<String, String> environment,
        Duration startTimeout,
        Function<NodeOptions, NodeLaunch> changed) {

    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    NodeLaunch {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    String host() {
        return address.getAddress().getHostAddress();
    }

    /** @throws LocalCassandraException if the node takes no connections */
    void requireConnections(long logStart) {
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_TIMEOUT_MILLIS);
        } catch (IOException e) {
            throw failure(logStart, "takes no connections: " + e);
        }
    }

    /** @param logStart where the failed run begins in the node's log */
    LocalCassandraException failure(long logStart, String what) {
        LogExcerpt excerpt = LogExcerpt.read(directory.logFile(), logStart);
        String message = this + " " + what + ". From its log " + directory.logFile() + ":\n" + excerpt;
        boolean addressTaken =
                excerpt.contains("is in use by another process") || excerpt.contains("Failed to bind port");
        return addressTaken ? new AddressTakenException(message) : new LocalCassandraException(message);
    }

    @Override
    public String toString() {
        return "Node " + number + " of " + of + " at " + host() + ":" + address.getPort();
    }
}

package io.github.cassandralock.internal.startup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A host and a port of a possible node. A check costs one connection and no session.
 *
 * @param text as it is configured
 * @param host a name or an address
 */
public record ContactPoint(String text, String host, int port) {

    /** The request OPTIONS of CQL's protocol 4: a node answers it without a login. */
    private static final byte[] OPTIONS = {4, 0, 0, 0, 5, 0, 0, 0, 0};

    /** The first bit of a node's answer, in each version of the protocol. */
    private static final int OF_NODE = 0x80;

    private static final int HIGHEST_PORT = 65_535;

    /** @param text host:port, as the driver reads it; empty if the driver ignores it */
    public static Optional<ContactPoint> of(String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            return colon > 0 && port >= 0 && port <= HIGHEST_PORT
                    ? Optional.of(new ContactPoint(text, text.substring(0, colon), port))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    public static ContactPoint of(InetSocketAddress address) {
        String host = address.getHostString();
        return new ContactPoint(host + ":" + address.getPort(), host, address.getPort());
    }

    /** Returns all addresses of the host; none if it is unknown. Blocks. */
    public List<InetSocketAddress> addresses() {
        try {
            return Stream.of(InetAddress.getAllByName(host))
                    .map(address -> new InetSocketAddress(address, port))
                    .toList();
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    /**
     * Returns why nothing can be reached here; empty if the node of one address answers. Blocks, for the patience at each step. An
     * interrupt ends a step, with a failure.
     *
     * @param speaksCql whether a node must answer a request; otherwise a connection is enough, because an encrypted node does not
     *     answer
     */
    public Optional<String> problem(boolean speaksCql, Duration patience) {
        List<InetSocketAddress> addresses = addresses();
        if (addresses.isEmpty()) {
            return Optional.of("unknown host");
        }
        List<String> problems = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            Optional<String> problem = problem(address, speaksCql, patience);
            if (problem.isEmpty()) {
                return problem;
            }
            problems.add(
                    addresses.size() == 1
                            ? problem.get()
                            : address.getAddress().getHostAddress() + ": " + problem.get());
        }
        return Optional.of(String.join(", ", problems));
    }

    private static Optional<String> problem(InetSocketAddress address, boolean speaksCql, Duration patience) {
        int millis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, patience.toMillis()));
        try (SocketChannel channel = SocketChannel.open()) { // its socket can be interrupted
            Socket socket = channel.socket();
            socket.connect(address, millis);
            socket.setSoTimeout(millis);
            return !speaksCql || answers(socket)
                    ? Optional.empty()
                    : Optional.of("the connection was closed without an answer of Cassandra");
        } catch (SocketTimeoutException e) {
            return Optional.of("timed out after " + ExactDuration.text(patience));
        } catch (IOException e) {
            return Optional.of(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    /** An end of the connection is no answer. A proxy ends connections orderly, by a reset or by a broken pipe. */
    private static boolean answers(Socket socket) throws SocketTimeoutException {
        try {
            socket.getOutputStream().write(OPTIONS);
            int first = socket.getInputStream().read();
            return first >= 0 && (first & OF_NODE) != 0;
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return false;
        }
    }
}

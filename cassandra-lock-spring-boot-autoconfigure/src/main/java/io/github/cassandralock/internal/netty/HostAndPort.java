package io.github.cassandralock.internal.netty;

import java.net.InetSocketAddress;
import java.util.Optional;

/** Addresses as text: {@code host:port}, IPv6 hosts in brackets. */
public final class HostAndPort {

    private static final int HIGHEST_PORT = 65_535;

    private HostAndPort() {}

    /** Writes a host, which may be an IPv6 address, and a port. */
    static String text(String host, int port) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]:" + port : host + ":" + port;
    }

    /** The address, whose host is not looked up yet; empty if the text is none. */
    static Optional<InetSocketAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || text.endsWith("]")) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        return host.contains(":") && !bracketed
                ? Optional.empty()
                : port(text.substring(colon + 1))
                        .map(port -> InetSocketAddress.createUnresolved(
                                bracketed ? host.substring(1, host.length() - 1) : host, port));
    }

    private static Optional<Integer> port(String digits) {
        try {
            int port = Integer.parseInt(digits);
            return port > 0 && port <= HIGHEST_PORT ? Optional.of(port) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * Adds the port to an address that has none.
     *
     * @throws IllegalArgumentException if the text is neither a host nor a host with a port
     */
    public static String withPort(String hostOrBoth, int port) {
        if (parse(hostOrBoth).isPresent()) {
            return hostOrBoth;
        }
        String both = text(hostOrBoth, port);
        if (parse(both).isEmpty() || hostOrBoth.isBlank() || hostOrBoth.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException(
                    "'" + hostOrBoth + "' is neither a host nor host:port; an IPv6 address with a port is [host]:port");
        }
        return both;
    }
}

package io.github.cassandralock.internal.netty;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/** Addresses as text: {@code host:port}, IPv6 hosts in brackets. */
public final class HostAndPort {

    private static final int HIGHEST_PORT = 65_535;

    /** A name or an IPv4 address: neither blanks nor parts of a URL. */
    private static final Pattern NAME = Pattern.compile("[^\\s:/@\\[\\]]+");

    private HostAndPort() {}

    /** Writes a host, which may be an IPv6 address, and a port. */
    static String text(String host, int port) {
        return host.contains(":") && !isBracketed(host) ? "[" + host + "]:" + port : host + ":" + port;
    }

    private static boolean isBracketed(String host) {
        return host.startsWith("[") && host.endsWith("]");
    }

    private static String withoutBrackets(String host) {
        return isBracketed(host) ? host.substring(1, host.length() - 1) : host;
    }

    /** Returns the address, whose host is not looked up yet; empty if the text is no address. */
    static Optional<InetSocketAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0 || !isHostBeforeAPort(text.substring(0, colon))) {
            return Optional.empty();
        }
        String host = withoutBrackets(text.substring(0, colon));
        return port(text.substring(colon + 1)).map(port -> InetSocketAddress.createUnresolved(host, port));
    }

    private static boolean isHostBeforeAPort(String text) {
        return isBracketed(text)
                ? NetUtil.isValidIpV6Address(withoutBrackets(text))
                : NAME.matcher(text).matches();
    }

    /** Whether the address is a loopback address, which other machines cannot reach. Host names are not looked up. */
    public static boolean isLoopback(String text) {
        return parse(text)
                .map(InetSocketAddress::getHostString)
                .filter(HostAndPort::isLoopbackHost)
                .isPresent();
    }

    private static boolean isLoopbackHost(String host) {
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
        return literal == null ? host.equalsIgnoreCase("localhost") : literal.isLoopbackAddress();
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
        if (!isHostBeforeAPort(hostOrBoth) && !NetUtil.isValidIpV6Address(hostOrBoth)) {
            throw new IllegalArgumentException(
                    "'" + hostOrBoth + "' is neither a host nor host:port; an IPv6 address with a port is [host]:port");
        }
        return text(hostOrBoth, port);
    }
}

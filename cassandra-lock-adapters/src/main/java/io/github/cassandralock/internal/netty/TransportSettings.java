package io.github.cassandralock.internal.netty;

import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The settings of the transport of notices.
 *
 * @param bind where to listen; port 0 means any free port
 * @param advertised where others reach this process, {@code host} or {@code host:port}; empty: at the address it listens on
 * @param leaveAlone for how long an address that does not accept or does not answer is left alone
 * @param connectTimeout how long an address may take to accept a connection, and again for the handshake of TLS
 * @param unknown a connection that has brought no authentic frame is closed after this time
 * @param idle the side that made a connection closes it after this time without a frame; the accepting side, after twice this time
 * @param tls encrypts all connections, if present; called for each connection
 */
public record TransportSettings(
        InetSocketAddress bind,
        Optional<String> advertised,
        Duration leaveAlone,
        Duration connectTimeout,
        Duration unknown,
        Duration idle,
        Optional<Supplier<Tls>> tls) {

    private static final Duration LONGEST_LEAVE_ALONE = Duration.ofSeconds(10);
    private static final Duration UNKNOWN = Duration.ofSeconds(5);
    private static final Duration IDLE = Duration.ofMinutes(1);

    /**
     * Both sides of an encrypted connection.
     *
     * @param server for connections that others make
     * @param client for those that this process makes
     */
    public record Tls(SslContext server, SslContext client) {}

    /**
     * Returns settings with five seconds for the first authentic frame of a connection, and one minute for an idle one.
     *
     * @param failing for how long an address that does not accept or does not answer is left alone; at most ten seconds
     */
    public static TransportSettings of(
            InetSocketAddress bind, Optional<String> advertised, Duration failing, Optional<Supplier<Tls>> tls) {
        Duration leaveAlone = failing.compareTo(LONGEST_LEAVE_ALONE) < 0 ? failing : LONGEST_LEAVE_ALONE;
        Duration connectTimeout = leaveAlone.compareTo(Duration.ofSeconds(1)) < 0 ? leaveAlone : Duration.ofSeconds(1);
        return new TransportSettings(bind, advertised, leaveAlone, connectTimeout, UNKNOWN, IDLE, tls);
    }

    /** Longer than {@link #idle}: the side that made the connection closes it, because it alone decides whether to use it. */
    Duration idleInbound() {
        return idle.multipliedBy(2);
    }
}

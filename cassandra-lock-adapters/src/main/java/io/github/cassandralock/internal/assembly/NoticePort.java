package io.github.cassandralock.internal.assembly;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.cassandra.NoticeOptions;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.netty.HostAndPort;
import io.github.cassandralock.internal.netty.NettyNoticeTransport;
import io.github.cassandralock.internal.netty.TransportSettings;
import io.github.cassandralock.internal.netty.TransportStartException;
import io.github.cassandralock.internal.time.Timers;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the port of notices.
 *
 * @param threads the beginning of the names of threads
 * @param notices whose encryption is ignored
 * @param session has the nodes of Cassandra
 * @param tls encrypts notices
 */
public record NoticePort(
        String threads,
        NoticeOptions notices,
        Duration lease,
        CqlSession session,
        Optional<Supplier<TransportSettings.Tls>> tls,
        Timers timers,
        ProtocolCounters counters) {

    private static final Logger log = LoggerFactory.getLogger(NoticePort.class);
    private static final int HIGHEST_PORT = 65_535;

    /** @throws WrongSettingException if there is no such port */
    public static void requirePort(int port) {
        if (port < 0 || port > HIGHEST_PORT) {
            throw new WrongSettingException(
                    "notices.port", port, "must be from 0 to 65535; 0 means any that is free", "17400", null);
        }
    }

    /** Returns both sides of connections, with the certificates of a context of the JDK. */
    public static TransportSettings.Tls tls(SSLContext context) {
        return new TransportSettings.Tls(
                side(context, false, ClientAuth.REQUIRE), side(context, true, ClientAuth.NONE));
    }

    private static SslContext side(SSLContext context, boolean client, ClientAuth ofOthers) {
        return new JdkSslContext(
                context, client, null, IdentityCipherSuiteFilter.INSTANCE, null, ofOthers, null, false);
    }

    /**
     * Begins to listen.
     *
     * @throws WrongSettingException if a setting of notices cannot be followed on this machine
     */
    public NettyNoticeTransport open() {
        InetSocketAddress bind = new InetSocketAddress(bindAddress(), notices.port());
        TransportSettings settings = TransportSettings.of(bind, advertised(bind), lease.dividedBy(3), tls);
        boolean cassandraIsElsewhere =
                nodes().anyMatch(node -> !node.getAddress().isLoopbackAddress());
        try {
            NettyNoticeTransport transport =
                    new NettyNoticeTransport(threads, settings, timers.ticker(), timers, counters);
            log.info("Notices from other processes are taken at {}", transport.address());
            if (cassandraIsElsewhere && HostAndPort.isLoopback(transport.address())) {
                warnThatOtherMachinesCannotReach(transport.address());
            }
            return transport;
        } catch (TransportStartException e) {
            String why = "this process cannot listen there: " + e.getMessage();
            throw e.isAddressAtFault()
                    ? new WrongSettingException(
                            "notices.bind-address", bind.getAddress().getHostAddress(), why, "0.0.0.0", e)
                    : new WrongSettingException("notices.port", notices.port(), why, "0", e);
        }
    }

    private static void warnThatOtherMachinesCannotReach(String address) {
        log.warn(
                "The address that this process publishes for notices, {}, cannot be reached from other machines."
                        + " Cassandra is on another machine. Set cassandra-lock.notices.advertised-address to an"
                        + " address at which the other processes reach this process; until then they read from"
                        + " Cassandra instead",
                address);
    }

    private InetAddress bindAddress() {
        String configured = notices.bindAddress().orElse("");
        if (configured.isBlank()) {
            return addressTowardsCassandra();
        }
        try {
            return InetAddress.getByName(configured);
        } catch (UnknownHostException e) {
            throw new WrongSettingException("notices.bind-address", configured, "there is no such host", "0.0.0.0", e);
        }
    }

    /** Other processes cannot connect to "any address". */
    private Optional<String> advertised(InetSocketAddress bind) {
        String configured = notices.advertisedAddress().orElse("");
        if (configured.isBlank()) {
            return bind.getAddress().isAnyLocalAddress()
                    ? Optional.of(addressTowardsCassandra().getHostAddress())
                    : Optional.empty();
        }
        try {
            HostAndPort.withPort(configured, 1);
            return Optional.of(configured);
        } catch (IllegalArgumentException e) {
            throw new WrongSettingException(
                    "notices.advertised-address",
                    configured,
                    "must be a host or host:port; an IPv6 address with a port is [host]:port",
                    "10.0.0.7:17400",
                    e);
        }
    }

    /** The address that this machine uses towards a node. A datagram socket finds it without sending anything. */
    private InetAddress addressTowardsCassandra() {
        for (InetSocketAddress node : nodes().toList()) {
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.connect(node);
                return socket.getLocalAddress();
            } catch (SocketException e) {
                log.debug("There is no route to {}", node, e);
            }
        }
        throw new WrongSettingException(
                "notices.bind-address",
                "",
                "the address of this machine could not be determined: the session has no Cassandra node with a route to it",
                "10.0.0.7",
                null);
    }

    private Stream<InetSocketAddress> nodes() {
        return session.getMetadata().getNodes().values().stream()
                .map(node -> node.getEndPoint().resolve())
                .filter(InetSocketAddress.class::isInstance)
                .map(InetSocketAddress.class::cast)
                .filter(address -> !address.isUnresolved());
    }
}

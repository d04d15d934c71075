package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.autoconfigure.CassandraLockProperties.Notices;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.netty.HostAndPort;
import io.github.cassandralock.internal.netty.NettyNoticeTransport;
import io.github.cassandralock.internal.netty.TransportSettings;
import io.github.cassandralock.internal.netty.TransportStartException;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;

/** Opens the port of notices as the properties say. */
final class NoticeTransportFactory {

    private static final Logger log = LoggerFactory.getLogger(NoticeTransportFactory.class);

    private final CassandraLockProperties properties;
    private final Notices notices;
    private final CqlSession session;
    private final Optional<SslBundles> bundles;
    private final Timers timers;
    private final ProtocolCounters counters;

    NoticeTransportFactory(
            CassandraLockProperties properties,
            CqlSession session,
            Optional<SslBundles> bundles,
            Timers timers,
            ProtocolCounters counters) {
        this.properties = properties;
        this.notices = properties.notices();
        this.session = session;
        this.bundles = bundles;
        this.timers = timers;
        this.counters = counters;
    }

    /** @throws InvalidLockPropertyException if a property of notices cannot be followed on this machine */
    NettyNoticeTransport open() {
        InetSocketAddress bind = new InetSocketAddress(bindAddress(), notices.port());
        TransportSettings settings =
                TransportSettings.of(bind, advertised(bind), properties.lease().dividedBy(3), tls());
        try {
            NettyNoticeTransport transport = new NettyNoticeTransport(settings, Ticker.system(), timers, counters);
            log.info("Notices from other processes are taken at {}", transport.address());
            warnIfOtherMachinesCannotReach(transport.address());
            return transport;
        } catch (TransportStartException e) {
            String why = "this process cannot listen there: " + e.getMessage();
            throw e.isAddressAtFault()
                    ? new InvalidLockPropertyException(
                            "notices.bind-address", bind.getAddress().getHostAddress(), why, "0.0.0.0", e)
                    : new InvalidLockPropertyException("notices.port", notices.port(), why, "0", e);
        }
    }

    private void warnIfOtherMachinesCannotReach(String address) {
        if (HostAndPort.isLoopback(address)
                && nodes().anyMatch(node -> !node.getAddress().isLoopbackAddress())) {
            log.warn(
                    "The address that this process publishes for notices, {}, cannot be reached from other machines, but"
                            + " Cassandra is on another machine. Set cassandra-lock.notices.advertised-address to an address"
                            + " at which the other processes reach this one; until then they read from Cassandra instead",
                    address);
        }
    }

    private InetAddress bindAddress() {
        String configured = notices.bindAddress();
        if (configured == null || configured.isBlank()) {
            return addressTowardsCassandra();
        }
        try {
            return InetAddress.getByName(configured);
        } catch (UnknownHostException e) {
            throw new InvalidLockPropertyException(
                    "notices.bind-address", configured, "no such host is known", "0.0.0.0", e);
        }
    }

    /** Others cannot be told to connect to "any address". */
    private Optional<String> advertised(InetSocketAddress bind) {
        String configured = notices.advertisedAddress();
        if (configured == null || configured.isBlank()) {
            return bind.getAddress().isAnyLocalAddress()
                    ? Optional.of(addressTowardsCassandra().getHostAddress())
                    : Optional.empty();
        }
        try {
            HostAndPort.withPort(configured, 1);
            return Optional.of(configured);
        } catch (IllegalArgumentException e) {
            throw new InvalidLockPropertyException(
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
        throw new InvalidLockPropertyException(
                "notices.bind-address",
                "",
                "the address of this machine could not be found out, because no Cassandra node is known",
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

    private Optional<Supplier<TransportSettings.Tls>> tls() {
        String name = notices.ssl().bundle();
        return name == null ? Optional.empty() : Optional.of(certificates(name));
    }

    private NoticeCertificates certificates(String name) {
        try {
            return NoticeCertificates.of(
                    name, bundles.orElseThrow(() -> new NoSuchSslBundleException(name, "there are no SSL bundles")));
        } catch (NoSuchSslBundleException | SSLException | IllegalStateException e) {
            throw new InvalidLockPropertyException(
                    "notices.ssl.bundle",
                    name,
                    "it cannot be used: " + e.getMessage()
                            + "; define it below 'spring.ssl.bundle', with a key store and a trust store",
                    "locks",
                    e);
        }
    }
}

package io.github.cassandralock.autoconfigure.notices;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.autoconfigure.InvalidLockPropertyException;
import io.github.cassandralock.cassandra.NoticeOptions;
import io.github.cassandralock.internal.assembly.NoticePort;
import io.github.cassandralock.internal.assembly.WrongSettingException;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.netty.NettyNoticeTransport;
import io.github.cassandralock.internal.netty.TransportSettings;
import io.github.cassandralock.internal.time.Timers;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;

/** Opens the port of notices from the properties. */
record NoticeTransportFactory(
        CassandraLockProperties properties,
        CqlSession session,
        Optional<SslBundles> bundles,
        Timers timers,
        ProtocolCounters counters) {

    /** @throws InvalidLockPropertyException if a property of notices cannot be followed on this machine */
    NettyNoticeTransport open() {
        CassandraLockProperties.Notices notices = properties.notices();
        NoticeOptions options = new NoticeOptions(
                Optional.ofNullable(notices.bindAddress()),
                Optional.ofNullable(notices.advertisedAddress()),
                notices.port(),
                Optional.empty(),
                notices.keep());
        Optional<Supplier<TransportSettings.Tls>> tls =
                Optional.ofNullable(notices.ssl().bundle()).map(this::certificates);
        try {
            return new NoticePort(options, properties.lease(), session, tls, timers, counters).open();
        } catch (WrongSettingException e) {
            throw InvalidLockPropertyException.of(e);
        }
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

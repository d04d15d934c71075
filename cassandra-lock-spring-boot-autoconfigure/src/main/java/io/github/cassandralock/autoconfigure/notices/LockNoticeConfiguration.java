package io.github.cassandralock.autoconfigure.notices;

import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.InvalidLockPropertyException;
import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.cassandra.NoticeOptions;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.assembly.NoticePort;
import io.github.cassandralock.internal.assembly.WrongSettingException;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.netty.NettyNoticeTransport;
import io.github.cassandralock.internal.netty.TransportSettings;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** The port by which processes send each other notices. */
@Configuration(proxyBeanMethods = false)
public class LockNoticeConfiguration {

    /**
     * Opens a port. It ends after the locker, which sends notices until its end. It needs the address of a Cassandra node.
     *
     * @throws InvalidLockPropertyException if a property of notices cannot be followed on this machine
     */
    @Bean
    @Lazy
    @ConditionalOnMissingLockBean({NoticeTransport.class, LockAlgorithm.class})
    @ConditionalOnSwitch(property = "cassandra-lock.notices.enabled", byDefault = false)
    NettyNoticeTransport cassandraLockNoticeTransport(
            CassandraLockProperties properties,
            CassandraPorts cassandra,
            ObjectProvider<SslBundles> bundles,
            Timers timers,
            ProtocolCounters counters,
            Environment environment) {
        CassandraLockProperties.Notices notices = properties.notices();
        NoticeOptions options = new NoticeOptions(
                Optional.ofNullable(notices.bindAddress()),
                Optional.ofNullable(notices.advertisedAddress()),
                notices.port(),
                Optional.empty());
        Optional<Supplier<TransportSettings.Tls>> tls =
                Optional.ofNullable(notices.ssl().bundle()).map(name -> certificates(name, bundles.getIfAvailable()));
        try {
            return new NoticePort(
                            LockerName.of(environment).threads(),
                            options,
                            properties.lease(),
                            cassandra.session(),
                            tls,
                            timers,
                            counters)
                    .open();
        } catch (WrongSettingException e) {
            throw InvalidLockPropertyException.of(e);
        }
    }

    private static NoticeCertificates certificates(String name, @Nullable SslBundles bundles) {
        try {
            if (bundles == null) {
                throw new NoSuchSslBundleException(name, "there are no SSL bundles");
            }
            return NoticeCertificates.of(name, bundles);
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

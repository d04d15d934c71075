package io.github.cassandralock.autoconfigure.notices;

import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.netty.NettyNoticeTransport;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The port by which processes send each other notices. */
@Configuration(proxyBeanMethods = false)
public class LockNoticeConfiguration {

    /** Opens a port. It ends after the locker, which sends notices until its end. It needs the address of a Cassandra node. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean({NoticeTransport.class, LockAlgorithm.class})
    @ConditionalOnSwitch(property = "cassandra-lock.notices.enabled", byDefault = false)
    NettyNoticeTransport cassandraLockNoticeTransport(
            CassandraLockProperties properties,
            CassandraPorts cassandra,
            ObjectProvider<SslBundles> bundles,
            Timers timers,
            ProtocolCounters counters) {
        return new NoticeTransportFactory(
                        properties,
                        cassandra.session(),
                        Optional.ofNullable(bundles.getIfAvailable()),
                        timers,
                        counters)
                .open();
    }
}

package io.github.cassandralock.sample;

import io.github.cassandralock.local.LocalCassandra;
import java.util.List;
import org.springframework.boot.autoconfigure.cassandra.CassandraConnectionDetails;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A real Cassandra node on this machine, unless the configuration names a cluster. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "spring.cassandra.contact-points", havingValue = "none", matchIfMissing = true)
class LocalClusterConfiguration {

    @Bean
    LocalCassandra localCassandra() {
        return LocalCassandra.start(1);
    }

    @Bean
    CassandraConnectionDetails localConnectionDetails(LocalCassandra cassandra) {
        return new CassandraConnectionDetails() {

            @Override
            public List<Node> getContactPoints() {
                return cassandra.contactPoints().stream()
                        .map(address -> new Node(address.getHostString(), address.getPort()))
                        .toList();
            }

            @Override
            public String getLocalDatacenter() {
                return cassandra.localDatacenter();
            }
        };
    }
}

package io.github.cassandralock.sample;

import io.github.cassandralock.local.LocalCassandra;
import java.util.List;
import org.springframework.boot.autoconfigure.cassandra.CassandraConnectionDetails;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** A Cassandra node of the application's own, if {@code spring.cassandra.contact-points} names no other. */
@Configuration(proxyBeanMethods = false)
@Conditional(LocalClusterConfiguration.NoContactPoints.class)
class LocalClusterConfiguration {

    /** Ends with the context, after the session and the locks: no shutdown hook may get ahead of those. */
    @Bean
    LocalCassandra localCassandra() {
        return LocalCassandra.builder().nodes(1).closeOnShutdown(false).start();
    }

    @Bean
    CassandraConnectionDetails localConnectionDetails(LocalCassandra cassandra) {
        return new LocalConnectionDetails(cassandra);
    }

    private record LocalConnectionDetails(LocalCassandra cassandra) implements CassandraConnectionDetails {

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
    }

    /** Asks the binder: the property may come as a list, a comma-separated text or an environment variable. */
    static final class NoContactPoints implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return Binder.get(context.getEnvironment())
                    .bind("spring.cassandra.contact-points", Bindable.listOf(String.class))
                    .orElse(List.of())
                    .isEmpty();
        }
    }
}

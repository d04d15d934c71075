package io.github.cassandralock.autoconfigure;

import static io.github.cassandralock.internal.properties.RemovedProperties.Removed.dropped;
import static io.github.cassandralock.internal.properties.RemovedProperties.Removed.renamed;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.connection.ConnectionRuntimeHints;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.properties.DurationUnits;
import io.github.cassandralock.internal.properties.RemovedProperties;
import java.util.List;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.core.CassandraOperations;

/**
 * Configures locks in every application that has a {@link CassandraOperations} bean or defines a {@link RemoteLocker}.
 *
 * <p>The order after Spring Boot's configuration of Cassandra, meters and observations is given by name. Versions 3 and 4 have
 * these classes in different packages, and they may be missing.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.data.cassandra.CassandraDataAutoConfiguration",
            "org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnSwitch(property = "cassandra-lock.enabled", byDefault = true)
@EnableConfigurationProperties({CassandraLockProperties.class, MajorityProperties.class})
@ImportRuntimeHints({LockPropertiesRuntimeHints.class, ConnectionRuntimeHints.class})
@Import({LockBeanProxies.class, LockConfigurations.class})
public final class CassandraLockAutoConfiguration {

    /** Refuses durations without a unit in properties of the locks. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DurationUnits cassandraLockDurationUnits() {
        return new DurationUnits("cassandra-lock");
    }

    /** Refuses former properties of the locks. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RemovedProperties cassandraLockRemovedProperties(Environment environment) {
        return new RemovedProperties(
                environment,
                List.of(
                        renamed("cassandra-lock.breaking.enabled", "cassandra-lock.force-release.enabled"),
                        renamed("cassandra-lock.majority.longest-lease", "cassandra-lock.majority.max-lease"),
                        renamed("cassandra-lock.majority.node-timeout", "cassandra-lock.majority.cluster-timeout"),
                        dropped("cassandra-lock.poll.min", "a waiter adapts its pauses to the holders"),
                        dropped("cassandra-lock.poll.max", "a waiter adapts its pauses to the holders"),
                        dropped("cassandra-lock.deadlock.check-after", "a call takes part after a second"),
                        dropped("cassandra-lock.deadlock.check-interval", "an interval is a second"),
                        dropped("cassandra-lock.notices.keep", "an unused lock stays with its process for 25 ms"),
                        dropped(
                                "cassandra-lock.majority.strengthen",
                                "holders always take more clusters than they need")));
    }
}

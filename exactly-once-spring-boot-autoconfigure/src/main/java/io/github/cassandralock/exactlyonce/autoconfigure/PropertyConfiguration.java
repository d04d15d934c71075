package io.github.cassandralock.exactlyonce.autoconfigure;

import static io.github.cassandralock.internal.properties.RemovedProperties.Removed.dropped;
import static io.github.cassandralock.internal.properties.RemovedProperties.Removed.renamed;

import io.github.cassandralock.internal.properties.DurationUnits;
import io.github.cassandralock.internal.properties.RemovedProperties;
import java.util.List;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** The properties, and what is refused of them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ExactlyOnceProperties.class)
class PropertyConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DurationUnits exactlyOnceDurationUnits() {
        return new DurationUnits("exactly-once");
    }

    /** Refuses former properties of exactly-once handlers. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RemovedProperties exactlyOnceRemovedProperties(Environment environment) {
        return new RemovedProperties(
                environment,
                List.of(
                        dropped("exactly-once.idle-pauses.first", "a copy chooses its first pauses itself"),
                        renamed("exactly-once.idle-pauses.longest", "exactly-once.poll.max-interval"),
                        renamed("exactly-once.failure-pauses.first", "exactly-once.retry.initial-interval"),
                        renamed("exactly-once.failure-pauses.longest", "exactly-once.retry.max-interval"),
                        renamed("exactly-once.sending-again.enabled", "exactly-once.resend.enabled"),
                        renamed("exactly-once.jdbc.data-source", "exactly-once.jdbc.data-source-bean"),
                        renamed("exactly-once.jdbc.transaction-manager", "exactly-once.jdbc.transaction-manager-bean"),
                        renamed(
                                "exactly-once.handlers.*.parking.after",
                                "exactly-once.handlers.<name>.parking.min-failures")));
    }
}

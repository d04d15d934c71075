package io.github.cassandralock.autoconfigure.meters;

import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Prevents Spring Boot's timers of the locks' observations if meters are switched off, and observations are not. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSwitch(property = "cassandra-lock.metrics.enabled", byDefault = true, is = false)
class NoLockMetersConfiguration {

    @Bean
    static MeterFilter cassandraLockNoMeters() {
        return MeterFilter.denyNameStartsWith("cassandra.lock.");
    }
}

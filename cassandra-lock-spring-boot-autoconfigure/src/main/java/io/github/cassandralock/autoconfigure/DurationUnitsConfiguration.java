package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.properties.DurationUnits;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Refuses durations without a unit in properties of the locks. */
@Configuration(proxyBeanMethods = false)
class DurationUnitsConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DurationUnits cassandraLockDurationUnits() {
        return new DurationUnits("cassandra-lock");
    }
}

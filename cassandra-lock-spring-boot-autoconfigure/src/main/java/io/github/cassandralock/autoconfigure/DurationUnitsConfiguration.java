package io.github.cassandralock.autoconfigure;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Makes the binding of properties refuse durations without a unit. */
@Configuration(proxyBeanMethods = false)
class DurationUnitsConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DurationUnits cassandraLockDurationUnits() {
        return new DurationUnits();
    }
}

package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.properties.DurationUnits;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Refuses durations without a unit in properties of exactly-once. */
@Configuration(proxyBeanMethods = false)
class DurationUnitsConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DurationUnits exactlyOnceDurationUnits() {
        return new DurationUnits("exactly-once");
    }
}

package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.actuate.Boot3LockHealthIndicator;
import io.github.cassandralock.actuate.Boot4LockHealthIndicator;
import io.github.cassandralock.actuate.LockProbe;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health of locking, where Actuator is present. Its interface moved between Spring Boot 3 and 4. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RemoteLocker.class)
@ConditionalOnProperty(name = "management.health.cassandra-lock.enabled", matchIfMissing = true)
class LockHealthConfiguration {

    private static final String INDICATOR = "cassandraLockHealthIndicator";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    static class Boot3 {

        @Bean(INDICATOR)
        @ConditionalOnMissingBean(name = INDICATOR)
        Boot3LockHealthIndicator cassandraLockHealthIndicator(RemoteLocker locker) {
            return new Boot3LockHealthIndicator(new LockProbe(locker));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    static class Boot4 {

        @Bean(INDICATOR)
        @ConditionalOnMissingBean(name = INDICATOR)
        Boot4LockHealthIndicator cassandraLockHealthIndicator(RemoteLocker locker) {
            return new Boot4LockHealthIndicator(new LockProbe(locker));
        }
    }
}

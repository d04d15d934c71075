package io.github.cassandralock.autoconfigure.adapters;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.LockRegistryProperties;
import io.github.cassandralock.internal.integration.CassandraLockRegistry;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;

/** The lock registry of Spring Integration, if that library is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnBean(RemoteLocker.class)
@ConditionalOnSwitch(property = "cassandra-lock.lock-registry.enabled", byDefault = true)
@EnableConfigurationProperties(LockRegistryProperties.class)
class LockRegistryConfiguration {

    @Bean
    @ConditionalOnMissingLockBean(LockRegistry.class)
    CassandraLockRegistry cassandraLockRegistry(RemoteLocker locker, LockRegistryProperties properties) {
        return new CassandraLockRegistry(locker, properties.prefix());
    }
}

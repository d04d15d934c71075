package io.github.cassandralock.autoconfigure.adapters;

import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.LockRegistryProperties;
import io.github.cassandralock.autoconfigure.ShedLockProperties;
import io.github.cassandralock.internal.integration.CassandraLockRegistry;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.shedlock.RemoteLockProvider;
import io.github.cassandralock.internal.shedlock.RemoteLockProviders;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.integration.support.locks.LockRegistry;

/** The locker as the locks of other libraries. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RemoteLocker.class)
class LockAdaptersConfiguration {

    /** One object for the application, so that its locks are reentrant everywhere. */
    @Bean
    @Lazy
    @ConditionalOnMissingLockBean(ReentrantLocks.class)
    ReentrantLocks cassandraLockReentrantLocks(RemoteLocker locker) {
        return new ReentrantLocks(locker);
    }

    /** The lock registry of Spring Integration, if that library is present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockRegistry.class)
    @ConditionalOnSwitch(property = "cassandra-lock.lock-registry.enabled", byDefault = true)
    @EnableConfigurationProperties(LockRegistryProperties.class)
    static class Registry {

        @Bean
        @ConditionalOnMissingLockBean(LockRegistry.class)
        CassandraLockRegistry cassandraLockRegistry(RemoteLocker locker, LockRegistryProperties properties) {
            return new CassandraLockRegistry(locker, properties.prefix());
        }
    }

    /** The lock provider of ShedLock, if that library is present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockProvider.class)
    @EnableConfigurationProperties(ShedLockProperties.class)
    static class ShedLock {

        @Bean
        RemoteLockProviders cassandraLockShedLockProviders(RemoteLocker locker, ShedLockProperties properties) {
            return new RemoteLockProviders(locker, properties.prefix());
        }

        @Bean
        @ConditionalOnMissingLockBean(LockProvider.class)
        @ConditionalOnSwitch(property = "cassandra-lock.shedlock.enabled", byDefault = true)
        RemoteLockProvider cassandraLockShedLockProvider(RemoteLockProviders providers) {
            return providers.create();
        }
    }
}

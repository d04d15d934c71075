package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.shedlock.RemoteLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The lock provider of ShedLock, if that library is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(LockProvider.class)
@ConditionalOnBean(RemoteLocker.class)
@ConditionalOnSwitch(property = "cassandra-lock.shedlock.enabled", byDefault = true)
@EnableConfigurationProperties(ShedLockProperties.class)
class ShedLockConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockProvider.class)
    RemoteLockProvider cassandraLockShedLockProvider(RemoteLocker locker, ShedLockProperties properties) {
        return new RemoteLockProvider(locker, properties.prefix());
    }
}

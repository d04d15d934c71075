package io.github.cassandralock.autoconfigure.adapters;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.ShedLockProperties;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.shedlock.RemoteLockProvider;
import io.github.cassandralock.internal.shedlock.RemoteLockProviders;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The lock provider of ShedLock, if that library is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(LockProvider.class)
@ConditionalOnBean(RemoteLocker.class)
@EnableConfigurationProperties(ShedLockProperties.class)
class ShedLockConfiguration {

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

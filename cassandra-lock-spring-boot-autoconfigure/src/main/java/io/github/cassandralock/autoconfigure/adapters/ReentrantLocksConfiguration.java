package io.github.cassandralock.autoconfigure.adapters;

import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The locks as locks of {@code java.util.concurrent.locks}: one object for the application, so that they are reentrant everywhere.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RemoteLocker.class)
class ReentrantLocksConfiguration {

    @Bean
    @ConditionalOnMissingLockBean(ReentrantLocks.class)
    ReentrantLocks cassandraLockReentrantLocks(RemoteLocker locker) {
        return new ReentrantLocks(locker);
    }
}

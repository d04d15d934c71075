package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.aop.DistributedLockAspect;
import io.github.cassandralock.aop.LeaseCheckingTransactionManagers;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * The annotation. Both beans come before ordinary ones, so they ask for the locker only when it is needed; proxies are made
 * by the creator that Spring Boot registers.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RemoteLocker.class)
class LockAspectConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static DistributedLockAspect distributedLockAspect(
            ObjectProvider<RemoteLocker> locker, ConfigurableBeanFactory beanFactory) {
        return new DistributedLockAspect(locker::getObject, beanFactory);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LeaseCheckingTransactionManagers leaseCheckingTransactionManagers(
            ObjectProvider<DistributedLockAspect> aspect) {
        return new LeaseCheckingTransactionManagers(aspect::getObject);
    }
}

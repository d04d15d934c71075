package io.github.cassandralock.autoconfigure.annotation;

import io.github.cassandralock.internal.aop.DistributedLockAspect;
import io.github.cassandralock.reactor.ReactiveCurrentLock;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import reactor.core.publisher.Mono;

/** The lock of the running method in Reactor's context. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Mono.class)
class ReactiveCurrentLockConfiguration {

    @Bean
    @Lazy
    @ConditionalOnSingleCandidate(DistributedLockAspect.class)
    @ConditionalOnMissingBean
    static ReactiveCurrentLock cassandraLockReactiveCurrentLock(DistributedLockAspect aspect) {
        return aspect.reactiveCurrentLock();
    }
}

package io.github.cassandralock.autoconfigure.annotation;

import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.internal.aop.AlgorithmSupport;
import io.github.cassandralock.internal.aop.AnnotationHints;
import io.github.cassandralock.internal.aop.DistributedLockAspect;
import io.github.cassandralock.internal.aop.LeaseCheck;
import io.github.cassandralock.internal.aop.UnadvisedBeans;
import io.github.cassandralock.internal.aop.UnadvisedBeansOfChildren;
import io.github.cassandralock.internal.aop.WorkTracing;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.properties.EarlyProperty;
import io.github.cassandralock.internal.properties.OnSwitch;
import io.github.cassandralock.internal.transactionlistener.TransactionListenerInstaller;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.function.SingletonSupplier;

/**
 * The annotation {@code @DistributedLock}. Both beans are created before ordinary beans, so they look the locker up only at the
 * first use. Spring's auto-proxy creator is registered here, because Spring Boot does not register it with {@code
 * spring.aop.auto=false}. Annotated methods would then run without a lock.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RemoteLocker.class)
@Import(LockAspectConfiguration.Proxies.class)
@ImportRuntimeHints(AnnotationHints.class)
class LockAspectConfiguration {

    /** Registers the auto-proxy creator of Spring Boot and transactions, with the same property for class proxies. */
    record Proxies(Environment environment) implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            if (environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }

    /**
     * Each context has an aspect: its annotations use the lockers, beans and properties of the context. Nested calls share their
     * locks with the parent. All contexts define the aspect under the same name, and a child does not find two.
     */
    @Bean
    @Primary
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static DistributedLockAspect distributedLockAspect(
            ObjectProvider<RemoteLocker> locker,
            ConfigurableListableBeanFactory beanFactory,
            Environment environment,
            ObjectProvider<WorkTracing> tracing) {
        return new DistributedLockAspect(
                locker::getObject,
                beanFactory,
                order(environment),
                SingletonSupplier.of(() -> tracing.getIfAvailable(() -> WorkTracing.OFF)),
                ofParent(beanFactory));
    }

    private static Optional<DistributedLockAspect> ofParent(ConfigurableListableBeanFactory beanFactory) {
        return Optional.ofNullable(beanFactory.getParentBeanFactory())
                .map(parent ->
                        parent.getBeanProvider(DistributedLockAspect.class).getIfUnique());
    }

    @Bean
    @Lazy
    @ConditionalOnSingleCandidate(DistributedLockAspect.class)
    @ConditionalOnMissingBean
    static CurrentLock cassandraLockCurrentLock(DistributedLockAspect aspect) {
        return aspect.currentLock();
    }

    /**
     * Refuses annotations with modes and periods that the algorithm does not support, when all beans are there. Annotations of later beans are
     * refused at their calls. If the application has a locker of its own, all are refused at their calls.
     */
    @Bean
    static SmartInitializingSingleton cassandraLockModes(ObjectProvider<DistributedLockAspect> aspect) {
        return () -> aspect.ifUnique(annotations ->
                annotations.requireSupport(locker -> locker instanceof AlgorithmLocker own
                        ? Optional.of(new AlgorithmSupport(
                                own.algorithm(), own::supports, own.keepsValues(), own.supportsPermits()))
                        : Optional.empty()));
    }

    /** Receives each bean that is created from now on. Requests the aspect when a bean is to be checked. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static UnadvisedBeans cassandraLockUnadvisedBeans(
            DefaultListableBeanFactory beans, ObjectProvider<DistributedLockAspect> aspect, Environment environment) {
        return new UnadvisedBeans(beans, () -> Optional.ofNullable(aspect.getIfUnique()), () -> isFailing(environment));
    }

    /** Checks the beans of each child context that does not have these beans itself. */
    @Bean
    static UnadvisedBeansOfChildren cassandraLockUnadvisedBeansOfChildren(
            DefaultListableBeanFactory beans, ObjectProvider<DistributedLockAspect> aspect) {
        return new UnadvisedBeansOfChildren(
                beans,
                () -> Optional.ofNullable(aspect.getIfUnique()),
                child -> OnSwitch.isOn(child, "cassandra-lock.enabled", true),
                LockAspectConfiguration::isFailing);
    }

    private static boolean isFailing(Environment environment) {
        return EarlyProperty.value(
                        environment,
                        "cassandra-lock.aspect.unadvised-beans",
                        CassandraLockProperties.Aspect.UnadvisedBeans.class,
                        CassandraLockProperties.Aspect.UnadvisedBeans.FAIL)
                == CassandraLockProperties.Aspect.UnadvisedBeans.FAIL;
    }

    /** Read without the properties' bean, which must not be created so early. */
    private static int order(Environment environment) {
        return EarlyProperty.value(
                environment, "cassandra-lock.aspect.order", Integer.class, DistributedLockAspect.OUTSIDE_TRANSACTIONS);
    }

    /**
     * Makes the application's own aspect bean an infrastructure bean. With {@code spring.aop.auto=false}, only these lead to
     * proxies, and annotated methods would run without a lock.
     */
    @Bean
    static BeanFactoryPostProcessor cassandraLockAspectIsInfrastructure() {
        return beans -> Stream.of(beans.getBeanNamesForType(DistributedLockAspect.class, true, false))
                .filter(beans::containsBeanDefinition)
                .map(beans::getBeanDefinition)
                .forEach(definition -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionListenerInstaller cassandraLockLeaseCheck(
            ObjectProvider<DistributedLockAspect> aspect, ConfigurableListableBeanFactory beans) {
        return new TransactionListenerInstaller(() -> new LeaseCheck(aspect.getObject()), beans);
    }
}

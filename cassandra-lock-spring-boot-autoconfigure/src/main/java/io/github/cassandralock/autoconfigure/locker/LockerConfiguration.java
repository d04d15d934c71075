package io.github.cassandralock.autoconfigure.locker;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.autoconfigure.MajorityProperties;
import io.github.cassandralock.autoconfigure.majority.MajorityFactory;
import io.github.cassandralock.autoconfigure.notices.LockNoticeConfiguration;
import io.github.cassandralock.autoconfigure.scheduler.LockSchedulerConfiguration;
import io.github.cassandralock.autoconfigure.session.CassandraAccess;
import io.github.cassandralock.internal.assembly.AlgorithmParts;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.assembly.Inspections;
import io.github.cassandralock.internal.assembly.LockTuning;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.driver.DriverThreads;
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.startup.ExplainedException;
import io.github.cassandralock.internal.text.ProcessName;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/** A locker and its algorithm: the application's locker, or a named locker in its own bean factory. */
@Configuration(proxyBeanMethods = false)
@Import({LockSchedulerConfiguration.class, LockNoticeConfiguration.class})
class LockerConfiguration {

    static final String LOCKER = "remoteLocker";
    private static final String ALGORITHM = "cassandraLockAlgorithm";

    @Bean
    DriverThreads cassandraLockDriverThreads(CassandraLockProperties properties, Timers timers) {
        return new DriverThreads(timers, properties.lease());
    }

    @Bean
    ProtocolCounters cassandraLockCounters() {
        return new ProtocolCounters();
    }

    /** Reads the session of the application's template, once. */
    @Bean
    @Lazy
    @ConditionalOnMissingLockBean(CassandraPorts.class)
    CassandraPorts cassandraLockAccess(CassandraLockProperties properties, ListableBeanFactory beans) {
        return CassandraAccess.find(properties.sessionBean(), properties.templateBean(), beans);
    }

    @Bean
    @Lazy
    AlgorithmParts cassandraLockAlgorithmParts(
            CassandraLockProperties properties,
            ObjectProvider<LockTuning> tuning,
            Timers timers,
            ObjectProvider<WallClock> wallClock,
            ObjectProvider<NoticeTransport> noticeTransport,
            ProtocolCounters counters,
            LateObservers observers,
            Environment environment,
            DriverThreads threads) {
        return new AlgorithmParts(
                properties.settings(),
                tuning.getIfAvailable(() -> LockTuning.USUAL),
                timers,
                wallClock.getIfAvailable(WallClock::system),
                () -> Optional.ofNullable(noticeTransport.getIfAvailable()),
                counters,
                observers.requests(),
                ProcessName.withApplication(environment.getProperty("spring.application.name")),
                threads);
    }

    /** Needs Cassandra, so it is created for the locker only, which a test may replace. */
    @Bean(ALGORITHM)
    @Lazy
    @ConditionalOnMissingLockBean(LockAlgorithm.class)
    LockAlgorithm cassandraLockAlgorithm(
            CassandraLockProperties properties,
            MajorityProperties majority,
            AlgorithmParts parts,
            ListableBeanFactory beans,
            Environment environment) {
        MajorityFactory majorities = new MajorityFactory(properties, parts, majority, beans, environment);
        return new ConfiguredAlgorithm(properties, parts, majorities, beans, environment).create();
    }

    /** Created for beans that show or force-release locks. */
    @Bean
    @Lazy
    LockInspections cassandraLockInspections(
            AlgorithmParts parts,
            ObjectProvider<CassandraPorts> cassandra,
            AlgorithmLocker locker,
            LockAlgorithm algorithm) {
        return new LockInspections(algorithm, new Inspections(parts, cassandra::getObject, locker::threadIdPrefix));
    }

    /** Begins when all beans are there, so that its thread does not look for beans that are just being created. */
    @Bean
    @ConditionalOnProperty(name = "cassandra-lock.startup", havingValue = "lazy")
    static SmartInitializingSingleton cassandraLockStart(ObjectProvider<DeferredAlgorithm> deferred) {
        return () -> deferred.ifAvailable(DeferredAlgorithm::begin);
    }

    @Bean
    static LockerBeforeSessions cassandraLockLockerBeforeSessions(ConfigurableBeanFactory beanFactory) {
        return new LockerBeforeSessions(List.of(LOCKER), beanFactory);
    }

    @Bean(LOCKER)
    @Primary
    AlgorithmLocker remoteLocker(
            LockAlgorithm algorithm,
            CassandraLockProperties properties,
            Timers timers,
            ObjectProvider<LockListener> listeners,
            LateObservers observers,
            DriverThreads threads,
            ObjectProvider<LockerHook> hooks,
            Environment environment,
            ListableBeanFactory beans) {
        requireNoPrefixOfOwnAlgorithm(algorithm, properties, beans);
        AlgorithmLocker locker = new AlgorithmLocker(
                algorithm,
                properties.lease(),
                timers.ticker(),
                timers,
                listeners.orderedStream().toList(),
                observers::calls,
                CallbackThreads.create(LockerName.of(environment).threads()),
                threads::dutyOfThisThread,
                properties.releaseAbandoned() ? AbandonedPolicy.RELEASE : AbandonedPolicy.WARN);
        hooks.forEach(hook -> hook.created(locker));
        return locker;
    }

    /** An algorithm of the application's own stores ids by itself. */
    private static void requireNoPrefixOfOwnAlgorithm(
            LockAlgorithm algorithm, CassandraLockProperties properties, ListableBeanFactory beans) {
        if (properties.prefix() != null && !beans.containsBeanDefinition(ALGORITHM)) {
            throw new ExplainedException(
                    "The property 'cassandra-lock.prefix' is '" + properties.prefix() + "', but the algorithm '"
                            + algorithm.getName() + "' is the application's own. Its lock ids would have no prefix.",
                    "Remove the property, and add the prefix in the algorithm.");
        }
    }

    @Bean
    static LateObservers cassandraLockObservers(
            ObjectProvider<CallObserver> calls, ObjectProvider<RequestObserver> requests) {
        return new LateObservers(calls, requests);
    }

    /** Used if the library org.crac is present, through which the platform reports checkpoints and restores. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.crac.Resource")
    static class Checkpoints {

        @Bean
        SessionPerRestore cassandraLockSessionPerRestore() {
            return new SessionPerRestore();
        }
    }
}

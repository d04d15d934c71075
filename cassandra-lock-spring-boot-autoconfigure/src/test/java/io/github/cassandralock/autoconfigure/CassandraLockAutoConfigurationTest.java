package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.aop.DistributedLockAspect;
import io.github.cassandralock.internal.aop.WorkTracing;
import io.github.cassandralock.internal.integration.CassandraLockRegistry;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.shedlock.RemoteLockProvider;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.internal.transactionlistener.TransactionListenerInstaller;
import io.github.cassandralock.reactor.ReactiveCurrentLock;
import io.github.cassandralock.shedlock.CassandraLockProviders;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.LockProvider;
import org.crac.Core;
import org.crac.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.cassandra.ReactiveSession;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.scheduling.TaskScheduler;

/** Which beans there are, and when they step back. Cassandra itself is the integration tests' matter: here it is a mock. */
class CassandraLockAutoConfigurationTest {

    private static final String OURS = "class io.github.cassandralock.";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(CassandraLockAutoConfiguration.class, TaskSchedulingAutoConfiguration.class))
            .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks");

    @Configuration(proxyBeanMethods = false)
    static class WithCassandra {

        @Bean
        CqlSession session() {
            return MockedCassandra.session();
        }

        @Bean
        CassandraTemplate ownTemplate(CqlSession session) {
            return new CassandraTemplate(session);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnLocker {

        @Bean
        RemoteLocker ownLocker() {
            return mock(RemoteLocker.class);
        }
    }

    @Test
    void contributesTheLockerItsAspectAndItsHealth() {
        application
                .withUserConfiguration(WithCassandra.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(RemoteLocker.class)
                        .hasSingleBean(AlgorithmLocker.class)
                        .hasSingleBean(DistributedLockAspect.class)
                        .hasSingleBean(TransactionListenerInstaller.class)
                        .hasSingleBean(CassandraLockProperties.class)
                        .hasSingleBean(Timers.class));
    }

    @Test
    void configurationIsCreatedOnlyForABeanThatNeedsIt() {
        String configurations = CassandraLockAutoConfiguration.class.getPackageName();
        application
                .withUserConfiguration(WithCassandra.class)
                .run(context -> assertThat(context.getBeanFactory().getSingletonNames())
                        .contains(configurations + ".locker.LockerConfiguration")
                        .doesNotContain(configurations + ".annotation.LockAspectConfiguration"));
    }

    /** Spring counts the post-processors of beans: with one too few, it warns of each bean of the application. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void springDoesNotWarnThatBeansMissPostProcessors(CapturedOutput output) {
        application
                .withUserConfiguration(WithCassandra.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "yes", "1", "TRUE"})
    void everySpellingOfTrueConfiguresLocksAndTheirHealth(String on) {
        application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues("cassandra-lock.enabled=" + on, "management.health.cassandra-lock.enabled=" + on)
                .run(context ->
                        assertThat(context).hasSingleBean(RemoteLocker.class).hasBean("cassandraLockHealthIndicator"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cassandra-lock.enabled",
                "cassandra-lock.metrics.enabled",
                "cassandra-lock.observations.enabled",
                "cassandra-lock.notices.enabled",
                "management.health.cassandra-lock.enabled"
            })
    void switchThatIsNoBooleanStopsTheApplication(String property) {
        application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues(property + "=perhaps")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(property)
                        .hasStackTraceContaining("perhaps"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0", "FALSE"})
    void disabledLeavesNoBeanBehind(String off) {
        application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues("cassandra-lock.enabled=" + off)
                .run(context -> assertThat(context.getBeanFactory().getBeanDefinitionNames())
                        .filteredOn(name -> !name.contains("AutoConfigurationTest"))
                        .filteredOn(name -> name.toLowerCase(Locale.ROOT).contains("lock")
                                || String.valueOf(context.getType(name, false)).startsWith(OURS))
                        .isEmpty());
    }

    static class Readers {

        @DistributedLock(key = "'k'", mode = LockMode.PROTECTED_READ)
        public void read() {}
    }

    @ParameterizedTest
    @CsvSource({
        "queue, eager, queue",
        "queue, lazy, queue",
        "shadow, eager, shadow",
        "migration, lazy, migration from queue to ticket"
    })
    void annotationWithAModeThatTheAlgorithmDoesNotSupportStopsTheApplication(
            String algorithm, String startup, String name) {
        application
                .withUserConfiguration(WithCassandra.class, Readers.class)
                .withPropertyValues(
                        "cassandra-lock.algorithm=" + algorithm,
                        "cassandra-lock.startup=" + startup,
                        "cassandra-lock.migration.from=queue",
                        "cassandra-lock.migration.to=ticket")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Readers.read(…) has the mode PROTECTED_READ")
                        .hasStackTraceContaining("the algorithm '" + name + "' does not support it"));
    }

    @Test
    void modeThatTheAlgorithmDoesNotSupportIsRefusedBeforeCassandraIsReached() {
        application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues("cassandra-lock.algorithm=queue", "cassandra-lock.startup=lazy")
                .run(context -> assertThatThrownBy(() -> context.getBean(RemoteLocker.class)
                                .getLock(LockRequest.of("k").mode(LockMode.PROTECTED_READ)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("'queue'"));
    }

    /** What a mock supports is not known before it is asked. */
    @Test
    void annotationWithAModeStartsWithALockerOfTheApplicationsOwn() {
        application
                .withUserConfiguration(WithCassandra.class, WithOwnLocker.class, Readers.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void backsOffAsAWholeWhenTheApplicationHasItsOwnLocker() {
        application
                .withUserConfiguration(WithCassandra.class, WithOwnLocker.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(RemoteLocker.class)
                        .hasBean("ownLocker")
                        .doesNotHaveBean(LockAlgorithm.class)
                        .doesNotHaveBean(Timers.class)
                        .doesNotHaveBean(TaskScheduler.class)
                        .hasSingleBean(DistributedLockAspect.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "yes", "1", "TRUE"})
    void noticesThatAreOnOpenAPort(String enabled) {
        withNotices("cassandra-lock.notices.enabled=" + enabled)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(NoticeTransport.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"unset", "enabled=false", "enabled=off", "enabled=0", "enabled=no"})
    void noticesThatAreNotOnOpenNoPort(String setting) {
        withNotices("cassandra-lock.notices." + setting)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(NoticeTransport.class));
    }

    /** At its end, a locker tells others that its locks are free. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void portOfNoticesClosesAfterTheLockerAndBeforeTheTimers(boolean lazy) {
        List<String> destroyed = new ArrayList<>();
        withNotices("cassandra-lock.notices.enabled=true")
                .withInitializer(context -> {
                    context.getBeanFactory().addBeanPostProcessor(new DestructionNotes(destroyed));
                    if (lazy) {
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
                    }
                })
                .run(context -> {
                    context.getBean(RemoteLocker.class);
                    context.close();
                    assertThat(destroyed)
                            .containsSubsequence(
                                    "remoteLocker",
                                    "cassandraLockNoticeTransport",
                                    "cassandraLockTimers",
                                    "cassandraLockTaskScheduler")
                            .containsSubsequence("cassandraLockNoticeTransport", "session");
                });
    }

    private record DestructionNotes(List<String> names) implements DestructionAwareBeanPostProcessor {

        @Override
        public void postProcessBeforeDestruction(Object bean, String beanName) {
            names.add(beanName);
        }
    }

    private ApplicationContextRunner withNotices(String setting) {
        return application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues("cassandra-lock.notices.bind-address=127.0.0.1", setting);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.aop.auto=false", "spring.aop.auto=true"})
    void annotationWorksWhetherOrNotSpringBootMakesProxies(String property) {
        application
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withPropertyValues(property)
                .withUserConfiguration(WithCassandra.class, WithOwnLocker.class)
                .withBean(Nightly.class)
                .run(context -> assertThat(context.getBean(Nightly.class))
                        .satisfies(
                                bean -> assertThat(AopUtils.isCglibProxy(bean)).isTrue()));
    }

    /** A bean of the application has no role, and proxies are made for infrastructure alone. */
    @Test
    void annotationWorksWithTheApplicationsAspectWithoutSpringBootsProxies() {
        application
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withPropertyValues("spring.aop.auto=false")
                .withUserConfiguration(WithOwnLocker.class, WithOwnAspect.class)
                .withBean(Nightly.class)
                .run(context -> {
                    assertThat(context)
                            .hasSingleBean(DistributedLockAspect.class)
                            .hasBean("ownAspect");
                    assertThat(AopUtils.isAopProxy(context.getBean(Nightly.class)))
                            .isTrue();
                });
    }

    @Test
    void lockOfTheRunningMethodIsFoundForThreadsAndForReactorIfItIsPresent() {
        application
                .withUserConfiguration(WithOwnLocker.class)
                .run(context ->
                        assertThat(context).hasSingleBean(CurrentLock.class).hasSingleBean(ReactiveCurrentLock.class));
        application
                .withUserConfiguration(WithOwnLocker.class)
                .withClassLoader(new FilteredClassLoader("reactor"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(CurrentLock.class)
                        .doesNotHaveBean("cassandraLockReactiveCurrentLock"));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnAspect {

        @Bean
        static DistributedLockAspect ownAspect(
                ObjectProvider<RemoteLocker> locker, ConfigurableListableBeanFactory beans) {
            return new DistributedLockAspect(locker::getObject, beans, 0, () -> WorkTracing.OFF, Optional.empty());
        }
    }

    static class Nightly {
        @DistributedLock(key = "'nightly'")
        public void run() {}
    }

    @Test
    void worksThroughTheApplicationsOwnTemplate() {
        application.withUserConfiguration(WithCassandra.class).run(context -> {
            assertThat(context).hasSingleBean(CassandraTemplate.class).hasBean("ownTemplate");
            verify(context.getBean(CqlSession.class), atLeastOnce()).prepareAsync(any(SimpleStatement.class));
        });
    }

    @Test
    void isQuietWithoutCassandra() {
        application.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(RemoteLocker.class)
                .doesNotHaveBean(DistributedLockAspect.class));
    }

    @Test
    void timersGoOnInAContextThatIsStoppedUntilItCloses() {
        application.withUserConfiguration(WithCassandra.class).run(context -> {
            Timers timers = context.getBean(Timers.class);
            context.stop();
            assertThat(timers.after(Duration.ofMillis(1))).succeedsWithin(Duration.ofSeconds(10));
            context.start();
            CompletableFuture<Void> pending = timers.after(Duration.ofHours(1));
            context.close();
            assertThat(pending).isCompletedExceptionally();
        });
    }

    /**
     * A session of the application that is created at its first use, after the locker, and is therefore destroyed
     * before it.
     */
    @Configuration(proxyBeanMethods = false)
    static class WithSessionThatClosesBeforeTheLocker {

        @Bean
        @Lazy
        CqlSession lateSession(RemoteLocker locker) {
            CqlSession session = mock(CqlSession.class);
            doAnswer(call -> {
                        assertThatThrownBy(() -> locker.getLock("k"))
                                .as("the locker when a session closes")
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("closed");
                        closedAfterTheLocker.set(true);
                        return null;
                    })
                    .when(session)
                    .close();
            return session;
        }

        private final AtomicBoolean closedAfterTheLocker = new AtomicBoolean();

        @Bean
        AtomicBoolean closedAfterTheLocker() {
            return closedAfterTheLocker;
        }
    }

    @Test
    void lockerClosesBeforeAnySessionDoesAlsoBeforeOneThatWasCreatedLater() {
        application
                .withUserConfiguration(WithSessionThatClosesBeforeTheLocker.class)
                .withBean(CassandraTemplate.class, () -> new CassandraTemplate(new WithCassandra().session()))
                .run(context -> {
                    context.getBean("lateSession");
                    AtomicBoolean closedAfterTheLocker = context.getBean("closedAfterTheLocker", AtomicBoolean.class);
                    context.close();
                    assertThat(closedAfterTheLocker).isTrue();
                });
    }

    @Test
    void reactiveSessionIsCreatedBeforeTheLockerAndDestroyedAfterIt() {
        application
                .withUserConfiguration(WithCassandra.class)
                .withBean("reactiveSession", ReactiveSession.class, () -> mock(ReactiveSession.class))
                .run(context -> assertThat(context.getBeanFactory().getDependenciesForBean("remoteLocker"))
                        .contains("reactiveSession"));
    }

    /** A job that ends its work, under its lock, when it is destroyed. */
    static final class Job implements DisposableBean {

        private final RemoteLocker locker;
        private final AtomicBoolean closedAtItsEnd;

        Job(RemoteLocker locker, AtomicBoolean closedAtItsEnd) {
            this.locker = locker;
            this.closedAtItsEnd = closedAtItsEnd;
        }

        @Override
        public void destroy() {
            try {
                locker.getLockAsync("k");
                closedAtItsEnd.set(false);
            } catch (IllegalStateException e) {
                closedAtItsEnd.set(true);
            }
        }
    }

    @Test
    void beanThatUsesTheLockerIsDestroyedBeforeItThoughASessionCameLater() {
        AtomicBoolean closedAtItsEnd = new AtomicBoolean(true);
        application
                .withUserConfiguration(WithSessionThatClosesBeforeTheLocker.class)
                .withBean(CassandraTemplate.class, () -> new CassandraTemplate(new WithCassandra().session()))
                .withBean("jobsEnd", AtomicBoolean.class, () -> closedAtItsEnd)
                .withUserConfiguration(WithJob.class)
                .run(context -> {
                    context.getBean("lateSession");
                    context.close();
                    assertThat(closedAtItsEnd)
                            .as("locker closed when the job ended")
                            .isFalse();
                });
    }

    @Test
    void reactiveSessionThatNeedsTheLockerOrIsScopedDoesNotFailTheStart() {
        application
                .withUserConfiguration(WithCassandra.class, WithReactiveSessionOnTheLocker.class)
                .run(context -> assertThat(context).hasNotFailed().hasBean("onTheLocker"));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithJob {

        @Bean
        Job job(RemoteLocker locker, @Qualifier("jobsEnd") AtomicBoolean closedAtItsEnd) {
            return new Job(locker, closedAtItsEnd);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithReactiveSessionOnTheLocker {

        @Bean
        ReactiveSession onTheLocker(RemoteLocker locker) {
            return mock(ReactiveSession.class);
        }
    }

    @Test
    void restoreHookIsThereInALazyContextAndBehindAProxy() {
        application
                .withUserConfiguration(WithCassandra.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    context.getBean(RemoteLocker.class);
                    assertThat(context.getBeanFactory().containsSingleton("cassandraLockSessionPerRestore"))
                            .isTrue();
                });
    }

    @Test
    void processThatIsRestoredFromACheckpointBeginsANewSession() throws Exception {
        application.withUserConfiguration(WithCassandra.class).run(context -> {
            Resource resource = context.getBean(Resource.class);
            resource.beforeCheckpoint(Core.getGlobalContext());
            resource.afterRestore(Core.getGlobalContext());
            assertThat(context).hasNotFailed();
        });
        application
                .withUserConfiguration(WithCassandra.class)
                .withClassLoader(new FilteredClassLoader("org.crac"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(RemoteLocker.class)
                        .doesNotHaveBean("cassandraLockSessionPerRestore"));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnLocks {

        @Bean
        ReentrantLocks ownLocks(RemoteLocker locker) {
            return new ReentrantLocks(locker);
        }
    }

    @Test
    void reentrantLocksBackOffWhenTheApplicationHasItsOwn() {
        application
                .withUserConfiguration(WithCassandra.class, WithOwnLocks.class)
                .run(context ->
                        assertThat(context).hasSingleBean(ReentrantLocks.class).hasBean("ownLocks"));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnRegistryAndProvider {

        @Bean
        LockRegistry ownRegistry() {
            return new DefaultLockRegistry();
        }

        @Bean
        LockProvider ownProvider() {
            return configuration -> Optional.empty();
        }
    }

    @Test
    void contributesLocksOfStandardInterfacesAlsoOverAnOwnLocker() {
        application
                .withUserConfiguration(WithCassandra.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(ReentrantLocks.class)
                        .hasSingleBean(LockRegistry.class)
                        .hasSingleBean(CassandraLockRegistry.class)
                        .hasSingleBean(LockProvider.class)
                        .hasSingleBean(RemoteLockProvider.class));
        application
                .withUserConfiguration(WithOwnLocker.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(ReentrantLocks.class)
                        .hasSingleBean(CassandraLockRegistry.class)
                        .hasSingleBean(RemoteLockProvider.class));
    }

    @Test
    void lockRegistryAndLockProviderBackOffWhenTheApplicationHasItsOwn() {
        application
                .withUserConfiguration(WithCassandra.class, WithOwnRegistryAndProvider.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(LockRegistry.class)
                        .hasBean("ownRegistry")
                        .hasSingleBean(LockProvider.class)
                        .hasBean("ownProvider"));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithTwoProviders extends WithOwnRegistryAndProvider {

        @Bean
        LockProvider cassandraProvider(CassandraLockProviders providers) {
            return providers.create("jobs:");
        }
    }

    @Test
    void lockProviderOfTheLocksIsMadeBesideAnotherOne() {
        application
                .withUserConfiguration(WithCassandra.class, WithTwoProviders.class)
                .run(context -> {
                    assertThat(context.getBeansOfType(LockProvider.class))
                            .containsOnlyKeys("ownProvider", "cassandraProvider");
                    assertThat(context.getBean("cassandraProvider")).isInstanceOf(RemoteLockProvider.class);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off"})
    void lockRegistryAndLockProviderAreSwitchedOffByTheirProperties(String off) {
        application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues(
                        "cassandra-lock.lock-registry.enabled=" + off, "cassandra-lock.shedlock.enabled=" + off)
                .run(context -> assertThat(context)
                        .hasSingleBean(RemoteLocker.class)
                        .doesNotHaveBean(LockRegistry.class)
                        .doesNotHaveBean(LockProvider.class));
    }

    @Test
    void startsWithoutSpringIntegrationAndShedLock() {
        application
                .withUserConfiguration(WithCassandra.class)
                .withClassLoader(new FilteredClassLoader("org.springframework.integration", "net.javacrumbs.shedlock"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(RemoteLocker.class)
                        .doesNotHaveBean("cassandraLockRegistry")
                        .doesNotHaveBean("cassandraLockShedLockProvider"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0", "FALSE"})
    void healthStepsBackWhenDisabled(String off) {
        application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues("management.health.cassandra-lock.enabled=" + off)
                .run(context -> assertThat(context)
                        .hasSingleBean(RemoteLocker.class)
                        .doesNotHaveBean("cassandraLockHealthIndicator"));
    }

    @Test
    void healthStepsBackWithTheOtherIndicatorsUnlessItIsNamed() {
        ApplicationContextRunner withoutDefaults = application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues("management.health.defaults.enabled=false");
        withoutDefaults.run(context -> assertThat(context).doesNotHaveBean("cassandraLockHealthIndicator"));
        withoutDefaults
                .withPropertyValues("management.health.cassandra-lock.enabled=on")
                .run(context -> assertThat(context).hasBean("cassandraLockHealthIndicator"));
    }

    @Test
    void healthStepsBackWithoutActuator() {
        application
                .withUserConfiguration(WithCassandra.class)
                .withClassLoader(
                        new FilteredClassLoader("org.springframework.boot.actuate", "org.springframework.boot.health"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(RemoteLocker.class)
                        .doesNotHaveBean("cassandraLockHealthIndicator"));
    }

    @Test
    void healthSpeaksTheInterfaceOfTheSpringBootThatIsThere() {
        application
                .withUserConfiguration(WithCassandra.class)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context)
                        .getBean("cassandraLockHealthIndicator")
                        .isInstanceOf(org.springframework.boot.actuate.health.HealthIndicator.class));
        application
                .withUserConfiguration(WithCassandra.class)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context)
                        .getBean("cassandraLockHealthIndicator")
                        .isInstanceOf(org.springframework.boot.health.contributor.HealthIndicator.class));
    }
}

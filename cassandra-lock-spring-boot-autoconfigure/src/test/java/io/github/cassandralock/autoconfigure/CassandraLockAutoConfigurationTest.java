package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.actuate.Boot3LockHealthIndicator;
import io.github.cassandralock.actuate.Boot4LockHealthIndicator;
import io.github.cassandralock.aop.DistributedLockAspect;
import io.github.cassandralock.aop.LeaseCheckingTransactionManagers;
import io.github.cassandralock.locker.AlgorithmLocker;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

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
            CqlSession session = mock(CqlSession.class, RETURNS_DEEP_STUBS);
            PreparedStatement prepared = mock(PreparedStatement.class);
            when(session.prepare(any(SimpleStatement.class))).thenReturn(prepared);
            when(prepared.bind(any())).thenReturn(mock(BoundStatement.class));
            when(session.getKeyspace()).thenReturn(Optional.<CqlIdentifier>empty());
            return session;
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

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class WithScheduling {}

    @Configuration(proxyBeanMethods = false)
    static class WithOwnScheduler {

        @Bean
        ThreadPoolTaskScheduler ownScheduler() {
            return new ThreadPoolTaskScheduler();
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
                        .hasSingleBean(LeaseCheckingTransactionManagers.class)
                        .hasSingleBean(CassandraLockProperties.class)
                        .hasBean(LockerConfiguration.SCHEDULER));
    }

    @Test
    void disabledLeavesNoBeanBehind() {
        application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues("cassandra-lock.enabled=false")
                .run(context -> assertThat(context.getBeanFactory().getBeanDefinitionNames())
                        .filteredOn(name -> !name.contains("AutoConfigurationTest"))
                        .filteredOn(name -> name.toLowerCase(Locale.ROOT).contains("lock")
                                || String.valueOf(context.getType(name, false)).startsWith(OURS))
                        .isEmpty());
    }

    @Test
    void backsOffAsAWholeWhenTheApplicationHasItsOwnLocker() {
        application
                .withUserConfiguration(WithCassandra.class, WithOwnLocker.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(RemoteLocker.class)
                        .hasBean("ownLocker")
                        .doesNotHaveBean(LockAlgorithm.class)
                        .doesNotHaveBean(LockerConfiguration.SCHEDULER)
                        .hasSingleBean(DistributedLockAspect.class));
    }

    @Test
    void worksThroughTheApplicationsOwnTemplate() {
        application.withUserConfiguration(WithCassandra.class).run(context -> {
            assertThat(context).hasSingleBean(CassandraTemplate.class).hasBean("ownTemplate");
            verify(context.getBean(CqlSession.class), atLeastOnce()).prepare(any(SimpleStatement.class));
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
    void itsSchedulerDoesNotMakeSpringBootsOwnStepBack() {
        application
                .withUserConfiguration(WithCassandra.class, WithScheduling.class)
                .run(context -> {
                    assertThat(context).hasBean("taskScheduler").hasBean(LockerConfiguration.SCHEDULER);
                    assertThat(context.getBeanProvider(TaskScheduler.class).getObject())
                            .isSameAs(context.getBean("taskScheduler"));
                });
    }

    @Test
    void itsSchedulerStandsBesideTheApplicationsOwn() {
        application
                .withUserConfiguration(WithCassandra.class, WithOwnScheduler.class)
                .run(context -> {
                    assertThat(context.getBeanProvider(TaskScheduler.class).getObject())
                            .isSameAs(context.getBean("ownScheduler"));
                    assertThat(context).hasBean(LockerConfiguration.SCHEDULER);
                });
    }

    @Test
    void healthStepsBackWithoutActuatorOrWhenDisabled() {
        application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues("management.health.cassandra-lock.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(Boot3LockHealthIndicator.class));
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
                        .isInstanceOf(Boot3LockHealthIndicator.class));
        application
                .withUserConfiguration(WithCassandra.class)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context)
                        .getBean("cassandraLockHealthIndicator")
                        .isInstanceOf(Boot4LockHealthIndicator.class));
    }
}

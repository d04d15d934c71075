package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.startup.LockSessionFailureAnalyzer;
import io.github.cassandralock.autoconfigure.startup.SeveralSessionsFailureAnalyzer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.cassandra.CassandraDataAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.mock.env.MockEnvironment;

/** Which of several sessions locks use, and what an application reads that does not say. */
class SessionChoiceTest {

    private final ApplicationContextRunner withoutSpringData = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    CassandraLockSessionAutoConfiguration.class, CassandraLockAutoConfiguration.class))
            .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks");

    private final ApplicationContextRunner application =
            withoutSpringData.withConfiguration(AutoConfigurations.of(CassandraDataAutoConfiguration.class));

    @Configuration(proxyBeanMethods = false)
    static class TwoSessions {

        @Bean
        CqlSession ordersSession() {
            return MockedCassandra.session();
        }

        @Bean
        CqlSession lockSession() {
            return MockedCassandra.session();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryAndOther {

        @Bean
        @Primary
        CqlSession ordersSession() {
            return MockedCassandra.session();
        }

        @Bean(defaultCandidate = false)
        CqlSession lockSession() {
            return MockedCassandra.session();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneSession {

        @Bean
        CqlSession lockSession() {
            return MockedCassandra.session();
        }
    }

    private static void assertUsesForLocks(CqlSession session) {
        verify(session, atLeastOnce()).prepareAsync(any(SimpleStatement.class));
    }

    @Test
    void sessionThatThePropertyNamesIsUsedAndSpringDataUsesTheOther() {
        application
                .withUserConfiguration(TwoSessions.class)
                .withPropertyValues("cassandra-lock.session-bean=lockSession")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(RemoteLocker.class);
                    CqlSession orders = context.getBean("ordersSession", CqlSession.class);
                    assertUsesForLocks(context.getBean("lockSession", CqlSession.class));
                    verify(orders, never()).prepareAsync(any(SimpleStatement.class));
                    assertThat(context.getBean(CqlSession.class)).isSameAs(orders);
                });
    }

    @Test
    void primarySessionStaysThatOfInjectionByType() {
        application
                .withUserConfiguration(PrimaryAndOther.class)
                .withPropertyValues("cassandra-lock.session-bean=ordersSession")
                .run(context ->
                        assertThat(context.getBean(CqlSession.class)).isSameAs(context.getBean("ordersSession")));
        application
                .withUserConfiguration(PrimaryAndOther.class)
                .withPropertyValues("cassandra-lock.session-bean=lockSession")
                .run(context -> assertUsesForLocks(context.getBean("lockSession", CqlSession.class)));
    }

    @Test
    void onlySessionMayBeNamedAndStaysThatOfSpringData() {
        application
                .withUserConfiguration(OneSession.class)
                .withPropertyValues("cassandra-lock.session-bean=lockSession")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(CassandraTemplate.class));
    }

    @Test
    void sessionIsEnoughWithoutSpringDatasTemplate() {
        withoutSpringData
                .withUserConfiguration(OneSession.class)
                .run(context -> assertUsesForLocks(context.getBean(CqlSession.class)));
    }

    @Test
    void severalSessionsOfWhichNoneIsChosenAreExplained() {
        for (ApplicationContextRunner either : new ApplicationContextRunner[] {application, withoutSpringData}) {
            either.withUserConfiguration(TwoSessions.class).run(context -> {
                FailureAnalysis analysis = new SeveralSessionsFailureAnalyzer(new MockEnvironment())
                        .analyze(Objects.requireNonNull(context.getStartupFailure()));
                assertThat(analysis).isNotNull();
                assertThat(analysis.getCause()).isInstanceOf(NoUniqueBeanDefinitionException.class);
                assertThat(analysis.getDescription())
                        .contains("'ordersSession', 'lockSession'", "which session locks use");
                assertThat(analysis.getAction()).contains("cassandra-lock.session-bean: ordersSession", "@Primary");
            });
        }
    }

    @Test
    void nothingIsExplainedIfLocksAreOffInAnySpelling() {
        MockEnvironment on = new MockEnvironment().withProperty("cassandraLock.enabled", "on");
        MockEnvironment off = new MockEnvironment().withProperty("cassandraLock.enabled", "off");
        NoUniqueBeanDefinitionException several = new NoUniqueBeanDefinitionException(CqlSession.class, "a", "b");
        assertThat(new SeveralSessionsFailureAnalyzer(on).analyze(several)).isNotNull();
        assertThat(new SeveralSessionsFailureAnalyzer(off).analyze(several)).isNull();
        assertThat(new LockSessionFailureAnalyzer(on).analyze(new NoNodeAvailableException()))
                .isNotNull();
        assertThat(new LockSessionFailureAnalyzer(off).analyze(new NoNodeAvailableException()))
                .isNull();
    }

    @Test
    void nameThatIsNoSessionIsExplained() {
        application
                .withUserConfiguration(OneSession.class)
                .withPropertyValues("cassandra-lock.session-bean=remoteLocker")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidLockPropertyException.class)
                        .hasMessageContaining("'cassandra-lock.session-bean' is 'remoteLocker'")
                        .hasMessageContaining("it has 'lockSession'"));
    }
}

package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.startup.SeveralSessionsFailureAnalyzer;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.convert.MappingCassandraConverter;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.session.DefaultSessionFactory;
import org.springframework.data.cassandra.core.cql.session.lookup.AbstractRoutingSessionFactory;
import org.springframework.mock.env.MockEnvironment;

/** Which template the locks use, what of it, and what an application reads whose template they cannot use. */
class TemplateChoiceTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    CassandraLockSessionAutoConfiguration.class, CassandraLockAutoConfiguration.class))
            .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks");

    private final CqlSession session = MockedCassandra.session();
    private final CqlSession other = MockedCassandra.session();

    private static CassandraTemplate template(SessionFactory sessions) {
        return template(new CqlTemplate(sessions));
    }

    private static CassandraTemplate template(CqlOperations cql) {
        return new CassandraTemplate(cql, new MappingCassandraConverter());
    }

    private static void assertUsesForLocks(CqlSession used) {
        verify(used, atLeastOnce()).prepareAsync(any(SimpleStatement.class));
    }

    private ApplicationContextRunner with(CassandraOperations template) {
        return application.withBean("template", CassandraOperations.class, () -> template);
    }

    private static void assertRefused(AssertableApplicationContext context, String... texts) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis =
                new ExplainedFailureAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure()));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription())
                .contains("Locks cannot use the application's CassandraTemplate")
                .contains(texts);
        assertThat(analysis.getAction()).contains("cassandra-lock.session-bean", "cassandra-lock.template-bean");
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoTemplates {

        private final CqlSession orders = MockedCassandra.session();
        private final CqlSession locks = MockedCassandra.session();

        @Bean
        CassandraTemplate ordersTemplate() {
            return new CassandraTemplate(orders);
        }

        @Bean
        CassandraTemplate lockTemplate() {
            return new CassandraTemplate(locks);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryAndOther {

        private final CqlSession orders = MockedCassandra.session();

        @Bean
        @Primary
        CassandraTemplate ordersTemplate() {
            return new CassandraTemplate(orders);
        }

        @Bean
        CassandraTemplate otherTemplate() {
            return new CassandraTemplate(MockedCassandra.session());
        }
    }

    /** One of the two is injected by name only, so the other is that of injection by type. */
    @Configuration(proxyBeanMethods = false)
    static class OneByNameOnly {

        @Bean
        CassandraTemplate lockTemplate() {
            return new CassandraTemplate(MockedCassandra.session());
        }

        @Bean(defaultCandidate = false)
        CassandraTemplate reportTemplate() {
            return new CassandraTemplate(MockedCassandra.session());
        }
    }

    @Test
    void templateThatThePropertyNamesIsUsedAndIsNotInjectedByType() {
        application
                .withUserConfiguration(TwoTemplates.class)
                .withPropertyValues("cassandra-lock.template-bean=lockTemplate")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(RemoteLocker.class);
                    TwoTemplates templates = context.getBean(TwoTemplates.class);
                    assertUsesForLocks(templates.locks);
                    verify(templates.orders, never()).prepareAsync(any(SimpleStatement.class));
                    assertThat(context.getBean(CassandraTemplate.class)).isSameAs(context.getBean("ordersTemplate"));
                });
    }

    @Test
    void templateThatIsTheOnlyCandidateStaysThatOfInjectionByType() {
        application
                .withUserConfiguration(OneByNameOnly.class)
                .withPropertyValues("cassandra-lock.template-bean=lockTemplate")
                .run(context ->
                        assertThat(context.getBean(CassandraTemplate.class)).isSameAs(context.getBean("lockTemplate")));
    }

    @Test
    void primaryTemplateIsUsedIfNoneIsNamed() {
        application
                .withUserConfiguration(PrimaryAndOther.class)
                .run(context -> assertUsesForLocks(context.getBean(PrimaryAndOther.class).orders));
    }

    @Test
    void severalTemplatesOfWhichNoneIsChosenAreExplained() {
        application.withUserConfiguration(TwoTemplates.class).run(context -> {
            FailureAnalysis analysis = new SeveralSessionsFailureAnalyzer(new MockEnvironment())
                    .analyze(Objects.requireNonNull(context.getStartupFailure()));
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).contains("'ordersTemplate', 'lockTemplate'");
            assertThat(analysis.getAction()).contains("cassandra-lock.template-bean: ordersTemplate", "@Primary");
        });
    }

    @Test
    void nameThatIsNoTemplateIsExplained() {
        application
                .withUserConfiguration(TwoTemplates.class)
                .withPropertyValues("cassandra-lock.template-bean=remoteLocker")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidLockPropertyException.class)
                        .hasMessageContaining("'cassandra-lock.template-bean' is 'remoteLocker'")
                        .hasMessageContaining("it has 'ordersTemplate', 'lockTemplate'"));
    }

    @Test
    void nameOfATemplateAndOfASessionContradictEachOther() {
        application
                .withUserConfiguration(TwoTemplates.class)
                .withPropertyValues(
                        "cassandra-lock.template-bean=lockTemplate", "cassandra-lock.session-bean=lockSession")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidLockPropertyException.class)
                        .hasMessageContainingAll("template-bean", "lockTemplate", "session-bean", "lockSession"));
    }

    private SessionFactory routing() {
        AbstractRoutingSessionFactory routing = new AbstractRoutingSessionFactory() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "a";
            }
        };
        routing.setTargetSessionFactories(Map.of("a", new DefaultSessionFactory(session)));
        routing.afterPropertiesSet();
        return routing;
    }

    private static SessionFactory proxied(SessionFactory sessions) {
        ProxyFactory proxy = new ProxyFactory();
        proxy.setInterfaces(SessionFactory.class);
        proxy.setTarget(sessions);
        return (SessionFactory) proxy.getProxy();
    }

    @Test
    void routingSessionFactoryIsRefusedAlsoBehindAProxy() {
        for (SessionFactory routing : List.of(routing(), proxied(routing()))) {
            with(template(routing)).run(context -> assertRefused(context, "SessionFactory", "more than one session"));
        }
    }

    @Test
    void sessionFactoryThatGivesAnotherSessionEachTimeIsRefused() {
        Iterator<CqlSession> turns = Stream.generate(() -> List.of(session, other))
                .flatMap(List::stream)
                .iterator();
        with(template((SessionFactory) turns::next))
                .run(context -> assertRefused(context, "SessionFactory", "more than one session"));
    }

    @Test
    @SuppressWarnings("NullAway") // that is the mistake
    void sessionFactoryWithoutASessionIsRefused() {
        with(template((SessionFactory) () -> null)).run(context -> assertRefused(context, "gives no session"));
    }

    @Test
    void sessionFactoryThatWrapsItsSessionAnewEachTimeIsUsed() {
        with(template((SessionFactory) () -> {
                    ProxyFactory proxy = new ProxyFactory();
                    proxy.setInterfaces(CqlSession.class);
                    proxy.setTarget(session);
                    return (CqlSession) proxy.getProxy();
                }))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertUsesForLocks(session);
                });
    }

    /** Request after request, a template would ask its SessionFactory. */
    @Test
    void sessionFactoryIsAskedAtTheStartOnly() {
        AtomicInteger asked = new AtomicInteger();
        Supplier<CqlSession> afterTheStart = () -> asked.get() > 2 ? other : session;
        with(template((SessionFactory) () -> {
                    asked.incrementAndGet();
                    return afterTheStart.get();
                }))
                .withPropertyValues("cassandra-lock.lease=2s")
                .run(context -> {
                    int atTheStart = asked.get();
                    assertThat(context.getBean(RemoteLocker.class).getLockAsync("k"))
                            .isNotNull();
                    verify(session, atLeastOnce()).executeAsync(any(Statement.class));
                    verify(other, never()).executeAsync(any(Statement.class));
                    assertThat(asked).hasValue(atTheStart);
                });
    }

    @Test
    void templateBehindAProxyIsUsed() {
        ProxyFactory proxy = new ProxyFactory();
        proxy.setInterfaces(CassandraOperations.class);
        ProxyFactory cql = new ProxyFactory();
        cql.setInterfaces(CqlOperations.class);
        cql.setTarget(new CqlTemplate(session));
        proxy.setTarget(template((CqlOperations) cql.getProxy()));
        with((CassandraOperations) proxy.getProxy()).run(context -> {
            assertThat(context).hasNotFailed();
            assertUsesForLocks(session);
        });
    }

    @Test
    void subclassOfTheTemplateIsUsed() {
        with(new CassandraTemplate(session) {
                    @Override
                    public CqlOperations getCqlOperations() {
                        return new CqlTemplate(other);
                    }
                })
                .run(context -> assertUsesForLocks(other));
    }

    @Test
    void templateOfATestIsRefusedUnlessASessionIsNamed() {
        with(mock(CassandraTemplate.class)).run(context -> assertRefused(context, "its CqlOperations is null"));
        CassandraTemplate deaf = mock(CassandraTemplate.class);
        CqlTemplate cql = mock(CqlTemplate.class);
        when(deaf.getCqlOperations()).thenReturn(cql);
        with(deaf)
                .run(context -> assertRefused(
                        context, "its CqlOperations is a " + cql.getClass().getName()));
        with(mock(CassandraTemplate.class))
                .withBean("lockSession", CqlSession.class, () -> session)
                .withPropertyValues("cassandra-lock.session-bean=lockSession")
                .run(context -> assertUsesForLocks(session));
    }

    @Test
    void cqlOperationsThatAreNoCqlTemplateAreRefused() {
        CqlOperations own = mock(CqlOperations.class);
        with(template(own)).run(context -> assertRefused(context, own.getClass().getName(), "not a CqlTemplate"));
    }

    @Test
    void reactiveTemplateAloneBringsNoLocker() {
        application
                .withBean(ReactiveCassandraTemplate.class, () -> mock(ReactiveCassandraTemplate.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RemoteLocker.class));
        application
                .withBean(ReactiveCassandraTemplate.class, () -> mock(ReactiveCassandraTemplate.class))
                .withBean(CqlSession.class, () -> session)
                .run(context -> assertUsesForLocks(session));
    }

    /** What the translator returns decides nothing, so nothing depends on its quality. */
    @Test
    void driversExceptionStandsInForATranslatorThatFailsOrGivesNothing() {
        DriverTimeoutException late = new DriverTimeoutException("late");
        CqlTemplate failing = new CqlTemplate(session);
        failing.setExceptionTranslator(failure -> {
            throw new UnsupportedOperationException("not today");
        });
        CqlTemplate usual = new CqlTemplate(session);
        with(template(failing))
                .run(context -> assertThat(translated(context, late)).isSameAs(late));
        with(template(usual))
                .run(context -> assertThat(translated(context, late))
                        .isInstanceOf(DataAccessException.class)
                        .hasCause(late));
    }

    private static RuntimeException translated(AssertableApplicationContext context, DriverTimeoutException failure) {
        return context.getBean(CassandraPorts.class).requests().translated("SELECT 1", failure);
    }
}

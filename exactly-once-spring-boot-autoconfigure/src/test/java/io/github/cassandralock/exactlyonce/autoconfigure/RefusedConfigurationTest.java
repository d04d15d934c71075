package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.cassandra.CassandraAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;

/** What stops an application at its start, and the reason that it gives. */
class RefusedConfigurationTest extends ExactlyOnceApplicationTest {

    /** Without a keyspace of its own. */
    private static CqlSession session() {
        CqlSession session = mock(CqlSession.class, RETURNS_DEEP_STUBS);
        when(session.getKeyspace()).thenReturn(Optional.empty());
        return session;
    }

    @ParameterizedTest
    @CsvSource({
        "exactly-once.handlers.ecko.max-inputs, 10, 'echo'",
        "exactly-once.handlers.echo.max-inputs, 0, at least 1",
        "exactly-once.handlers.echo.parking.min-failures, 3, need a queue",
        "exactly-once.queues.in.cells, 1, 2 to 2^30",
        "exactly-once.queues.in.layout, square, layout",
        "exactly-once.shutdown-timeout, 0s, at least one millisecond",
        "exactly-once.poll.max-interval, 0ms, at least one millisecond",
        "exactly-once.retry.initial-interval, 1h, not be shorter",
        "exactly-once.retry.initial-interval, 0ms, at least one millisecond",
        "exactly-once.metrics.lag-interval, -1s, at least one millisecond",
        "exactly-once.cassandra.serial-consistency, local-serial, local-quorum",
        "exactly-once.store, oracle, oracle",
        "exactly-once.enabled, perhaps, perhaps"
    })
    void wrongPropertyStopsTheApplicationAndSaysWhy(String property, String value, String why) {
        withHandler()
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("exactly-once")
                        .hasStackTraceContaining(why));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "exactly-once.idle-pauses.first, 1ms, 'exactly-once.idle-pauses.first' no longer exists",
                "exactly-once.idle-pauses.longest, 1s, is now 'exactly-once.poll.max-interval'",
                "exactly-once.failurePauses.first, 1ms, is now 'exactly-once.retry.initial-interval'",
                "exactly-once.failure-pauses.longest, 1s, is now 'exactly-once.retry.max-interval'",
                "exactly-once.sending-again.enabled, true, is now 'exactly-once.resend.enabled'",
                "exactly-once.jdbc.data-source, one, is now 'exactly-once.jdbc.data-source-bean'",
                "exactly-once.jdbc.transaction-manager, one, is now 'exactly-once.jdbc.transaction-manager-bean'",
                "exactly-once.handlers.echo.parking.after, 3, 'exactly-once.handlers.echo.parking.after' is now"
            })
    void formerPropertyStopsTheApplicationAndIsExplained(String property, String value, String why) {
        withHandler()
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(new ExplainedFailureAnalyzer()
                                .analyze(context.getStartupFailure())
                                .getDescription())
                        .contains(why));
    }

    @ParameterizedTest
    @CsvSource({
        "cassandra, exactly-once.create-tables, true, no CqlSession bean",
        "jdbc, exactly-once.create-tables, true, no DataSource bean",
        "redis, exactly-once.redis.uri, http://here, it is not the URI of a Redis server"
    })
    void storeThatTheApplicationDoesNotHaveStopsIt(String store, String property, String value, String why) {
        application
                .withUserConfiguration(WithHandler.class)
                .withPropertyValues("exactly-once.store=" + store, property + "=" + value)
                .run(context -> {
                    Throwable failure = context.getStartupFailure();
                    assertThat(failure).hasStackTraceContaining(why);
                    assertThat(new ExplainedFailureAnalyzer().analyze(failure).getAction())
                            .contains("exactly-once");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://user:s3cr^et@localhost:6379", "redis://user:s3cr#et@localhost:6379"})
    void passwordOfARefusedUriIsNotTold(String uri) {
        application
                .withUserConfiguration(WithHandler.class)
                .withPropertyValues("exactly-once.store=redis", "exactly-once.redis.uri=" + uri)
                .run(context -> {
                    StringWriter told = new StringWriter();
                    Objects.requireNonNull(context.getStartupFailure()).printStackTrace(new PrintWriter(told));
                    assertThat(told.toString())
                            .contains("exactly-once.redis.uri")
                            .doesNotContain("s3cr");
                });
    }

    @Test
    void redisWithoutItsClientStopsTheApplication() {
        application
                .withUserConfiguration(WithHandler.class)
                .withClassLoader(new FilteredClassLoader("io.lettuce", "org.springframework.boot.health"))
                .withPropertyValues("exactly-once.store=redis")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("not on the class path"));
    }

    @Test
    void sessionWithoutKeyspaceStopsTheApplication() {
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(CqlSession.class, RefusedConfigurationTest::session)
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("exactly-once.cassandra.keyspace"));
    }

    @Test
    void sessionIsTheOneThatThePropertyNamesAndTheOtherIsInjectedByType() {
        application
                .withConfiguration(AutoConfigurations.of(ExactlyOnceSessionAutoConfiguration.class))
                .withUserConfiguration(WithHandler.class)
                .withBean("orders", CqlSession.class, RefusedConfigurationTest::session)
                .withBean("registers", CqlSession.class, RefusedConfigurationTest::session)
                .withPropertyValues("exactly-once.session-bean=registers", "exactly-once.cassandra.keyspace=handlers")
                .run(context -> {
                    assertThat(context.getBean(CqlSession.class)).isSameAs(context.getBean("orders"));
                    verify(
                                    context.getBean("registers", CqlSession.class),
                                    timeout(SOON.toMillis()).atLeastOnce())
                            .getContext();
                    verify(context.getBean("orders", CqlSession.class), never()).getContext();
                });
    }

    @ParameterizedTest
    @CsvSource({"'', 5", "cassandra, 5", "CASSANDRA, 5", "jdbc, 60", "redis, 60"})
    void sessionIsAdaptedOnlyIfRegistersAreInCassandra(String store, long longestPause) {
        application
                .withConfiguration(AutoConfigurations.of(
                        CassandraAutoConfiguration.class, ExactlyOnceSessionAutoConfiguration.class))
                .withPropertyValues(store.isEmpty() ? "some=thing" : "exactly-once.store=" + store)
                .run(context -> assertThat(context.getBean(DriverConfigLoader.class)
                                .getInitialConfig()
                                .getDefaultProfile()
                                .getDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY))
                        .hasSeconds(longestPause));
    }

    @Test
    void sessionIsNotOpenedInTheBackgroundForRegistersInAnotherStore() {
        application
                .withConfiguration(AutoConfigurations.of(
                        CassandraAutoConfiguration.class, ExactlyOnceSessionAutoConfiguration.class))
                .withPropertyValues(
                        "exactly-once.store=jdbc",
                        "exactly-once.startup=lazy",
                        "spring.cassandra.contact-points=127.0.0.1:1",
                        "spring.cassandra.local-datacenter=datacenter1")
                .run(context -> assertThatThrownBy(() -> context.getBean(CqlSession.class))
                        .hasRootCauseInstanceOf(AllNodesFailedException.class));
    }

    @ParameterizedTest
    @CsvSource({
        "'', several CqlSession beans and none of them is primary",
        "lost, no CqlSession bean of this name; it has"
    })
    void sessionThatIsNotDeterminedStopsTheApplication(String name, String why) {
        application
                .withUserConfiguration(WithHandler.class)
                .withBean("orders", CqlSession.class, RefusedConfigurationTest::session)
                .withBean("registers", CqlSession.class, RefusedConfigurationTest::session)
                .withPropertyValues(name.isEmpty() ? "some=thing" : "exactly-once.session-bean=" + name)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOfAny(InvalidExactlyOncePropertyException.class, NoSuchBeanDefinitionException.class)
                        .satisfies(cause -> assertThat(context.getStartupFailure())
                                .hasStackTraceContaining(why)
                                .hasStackTraceContaining("'exactly-once.session-bean'")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"exactly-once.cassandra.table=a-b", "exactly-once.cassandra.keyspace=a-b"})
    void nameThatCqlDoesNotTakeStopsTheApplication(String property) {
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(CqlSession.class, RefusedConfigurationTest::session)
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("it is no name in CQL"));
    }

    @Test
    void twoOfOneNameStopTheApplication() {
        withHandler()
                .withBean(
                        SinkDefinition.class,
                        () -> new SinkDefinition(
                                "echo",
                                new MessageQueue(
                                        "in", new Layout.Ring(1024), Registers.of(new InMemoryRegisterStore())),
                                () -> {
                                    throw new IllegalStateException("is not opened");
                                }))
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("named 'echo'"));
    }

    @Test
    void functionWithoutDefinitionStopsTheApplication() {
        application
                .withUserConfiguration(InMemory.class)
                .withBean("lonely", ExactlyOnceHandler.class, () ->
                        (ExactlyOnceHandler<String>) (state, inputs, time) -> HandlerResult.of(state))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("'lonely'")
                        .hasStackTraceContaining("no HandlerDefinition bean"));
    }
}

package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
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
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcOutbox;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.JdbcSinks;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.DeferredRegisterStore;
import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.cassandra.CassandraAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/** Handlers, sinks and pumps as beans: when they run, what is configured, what operators see, and how they end. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ExactlyOnceAutoConfigurationTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Codec<String> TEXT = Codec.utf8();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ExactlyOnceAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
            .withPropertyValues("exactly-once.idle-pauses.longest=20ms", "exactly-once.failure-pauses.first=1ms");

    @Configuration(proxyBeanMethods = false)
    static class InMemory {

        @Bean
        RegisterStore store() {
            return new InMemoryRegisterStore();
        }
    }

    /** Appends each input to the state, and pushes it. Throws at "poison". */
    @Configuration(proxyBeanMethods = false)
    static class WithHandler {

        @Bean
        HandlerDefinition<String> echo(HandlerBuilders handlers, Queues queues) {
            return handlers.named("echo", WithHandler::echo, StateCodec.of(TEXT), () -> "")
                    .input(queues.named("in"))
                    .exclusiveOutput(queues.named("out"))
                    .build();
        }

        private static HandlerResult<String> echo(String state, Inputs inputs, Instant time) {
            HandlerResult<String> result = HandlerResult.of(state);
            for (String input : inputs.from("in", TEXT)) {
                if (input.equals("poison")) {
                    throw new IllegalArgumentException("cannot handle poison");
                }
                result.output("out", TEXT, input);
            }
            return result;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithMeters {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    private ApplicationContextRunner withHandler() {
        return application.withUserConfiguration(InMemory.class, WithHandler.class);
    }

    /** Without a keyspace of its own. */
    private static CqlSession session() {
        CqlSession session = mock(CqlSession.class, RETURNS_DEEP_STUBS);
        when(session.getKeyspace()).thenReturn(Optional.empty());
        return session;
    }

    private static MessageQueue queue(ApplicationContext context, String name) {
        return context.getBean(Queues.class).named(name);
    }

    private static void push(ApplicationContext context, String... payloads) throws InterruptedException {
        for (String payload : payloads) {
            queue(context, "in").push(payload.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static List<String> messages(MessageQueue queue) throws InterruptedException {
        List<String> messages = new ArrayList<>();
        while (queue.get(messages.size()) instanceof Cell.Full full) {
            messages.add(TEXT.decode(full.message().payloads().get(0)));
        }
        return messages;
    }

    private static void awaitOutputs(ApplicationContext context, String... payloads) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(messages(queue(context, "out"))).containsExactly(payloads));
    }

    private static Health health(ApplicationContext context) {
        return context.getBean("exactlyOnceHealthIndicator", HealthIndicator.class)
                .health();
    }

    private static void awaitHealth(ApplicationContext context, String status, String... contents) {
        await().atMost(SOON).untilAsserted(() -> {
            Health health = health(context);
            assertThat(health.getStatus().getCode()).isEqualTo(status);
            assertThat(health.getDetails().toString()).contains(contents);
        });
    }

    private static List<String> copies() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("exactly-once-"))
                .toList();
    }

    private static List<String> working() {
        return copies().stream().filter(name -> name.endsWith("-copy")).toList();
    }

    /** The store's thread, and those that only read, are interrupted and not waited for. */
    private static void awaitNoThreads() {
        await().atMost(SOON).untilAsserted(() -> assertThat(copies()).isEmpty());
    }

    // When.

    @Test
    void nothingIsCreatedWithoutAHandler() {
        application
                .withUserConfiguration(InMemory.class, WithMeters.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ExactlyOnceProperties.class)
                        .doesNotHaveBean(Registers.class)
                        .doesNotHaveBean(CopyLifecycle.class)
                        .doesNotHaveBean("exactlyOnceHealthIndicator"));
        awaitNoThreads();
    }

    @Test
    void nothingIsCreatedIfItIsSwitchedOff() {
        application
                .withUserConfiguration(InMemory.class)
                .withBean(
                        MessageQueue.class,
                        () -> new MessageQueue("in", new Layout.Keep(), Registers.of(new InMemoryRegisterStore())))
                .withPropertyValues("exactly-once.enabled=off")
                .run(context -> assertThat(context).doesNotHaveBean(CopyLifecycle.class));
    }

    @Test
    void anApplicationThatOnlyPushesDeclaresAQueue() {
        application
                .withUserConfiguration(InMemory.class)
                .withBean(
                        "in",
                        MessageQueue.class,
                        () -> new MessageQueue("in", new Layout.Keep(), Registers.of(new InMemoryRegisterStore())))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Queues.class));
    }

    @Test
    void handlerRunsWhileTheApplicationDoes() {
        withHandler().run(context -> {
            push(context, "a", "b", "c");
            awaitOutputs(context, "a", "b", "c");
            assertThat(copies()).contains("exactly-once-echo-copy");
        });
        awaitNoThreads();
    }

    @Test
    void worksWithoutActuatorMicrometerAndLettuce() {
        withHandler()
                .withClassLoader(new FilteredClassLoader(
                        "io.micrometer",
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "io.lettuce"))
                .run(context -> {
                    push(context, "a");
                    awaitOutputs(context, "a");
                    assertThat(context).doesNotHaveBean("exactlyOnceHealthIndicator");
                });
    }

    @Test
    void lazyInitializationRunsHandlersAndBindsMeters() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(copies()).contains("exactly-once-echo-copy");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("exactly.once.running")
                                    .gauge()
                                    .value())
                            .isEqualTo(1);
                });
    }

    @Test
    void stoppedAndStartedAgainItGoesOn() {
        withHandler().run(context -> {
            push(context, "a");
            awaitOutputs(context, "a");
            CopyLifecycle copies = context.getBean(CopyLifecycle.class);
            copies.stop();
            assertThat(copies()).doesNotContain("exactly-once-echo-copy");
            push(context, "b");
            copies.start();
            awaitOutputs(context, "a", "b");
        });
    }

    @Test
    void instanceThatClosesInTheMiddleLosesDoublesAndDisordersNothing() {
        String[] payloads = IntStream.range(0, 200).mapToObj(Integer::toString).toArray(String[]::new);
        withHandler().run(staying -> {
            application
                    .withBean(RegisterStore.class, () -> staying.getBean(RegisterStore.class))
                    .withUserConfiguration(WithHandler.class)
                    .run(closing -> push(closing, Arrays.copyOfRange(payloads, 0, 100)));
            push(staying, Arrays.copyOfRange(payloads, 100, 200));
            awaitOutputs(staying, payloads);
        });
    }

    /** Notes under which names of processes writes are sent. */
    private static final class NotingStore implements RegisterStore {

        private final RegisterStore store = new InMemoryRegisterStore();
        private final Set<UUID> processes = ConcurrentHashMap.newKeySet();

        @Override
        public StoredValue read(String name) throws InterruptedException {
            return store.read(name);
        }

        @Override
        public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                throws InterruptedException {
            processes.add(writeId.process());
            return store.compareAndSet(name, expected, value, writeId);
        }
    }

    /** Spring stops and starts around a checkpoint, which may be restored several times. */
    @Test
    void startedAgainTheProcessHasAnotherName() {
        NotingStore store = new NotingStore();
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(RegisterStore.class, () -> store)
                .run(context -> {
                    push(context, "a");
                    awaitOutputs(context, "a");
                    context.getBean(CopyLifecycle.class).stop();
                    Set<UUID> before = Set.copyOf(store.processes);
                    assertThat(before).hasSize(1);
                    context.getBean(CopyLifecycle.class).start();
                    store.processes.clear();
                    push(context, "b");
                    awaitOutputs(context, "a", "b");
                    assertThat(store.processes).hasSize(1).doesNotContainAnyElementsOf(before);
                });
    }

    // What is configured.

    @Test
    void queuesHaveTheConfiguredLayouts() {
        withHandler()
                .withPropertyValues("exactly-once.queues.in.cells=16", "exactly-once.queues.out.layout=keep")
                .run(context -> {
                    assertThat(queue(context, "in").layout()).isEqualTo(new Layout.Ring(16));
                    assertThat(queue(context, "out").layout()).isEqualTo(new Layout.Keep());
                    assertThat(queue(context, "other").layout()).isEqualTo(new Layout.Ring(1024));
                    assertThat(queue(context, "other")).isSameAs(queue(context, "other"));
                });
    }

    private ApplicationContextRunner withQueue(String name, String key) {
        return application
                .withUserConfiguration(InMemory.class, WithNamedQueue.class)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "test", Map.of("named", name, "exactly-once.queues" + key + ".layout", "keep"))));
    }

    /** In environment variables, keys are in lower case. */
    @ParameterizedTest
    @CsvSource({"a:b, .a:b", "a.b, .a.b", "a.b.c, .a.b.c", "a_b, .ab", "Orders, .orders"})
    void queueWhoseKeyIsBoundAsAnotherNameIsRefusedWithTheKeyToWrite(String name, String key) {
        withQueue(name, key)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidExactlyOncePropertyException.class,
                                failure -> assertThat(failure.action()).contains("exactly-once.queues[" + name + "]")));
    }

    @ParameterizedTest
    @CsvSource({"a:b, [a:b]", "a.b, [a.b]", "a_b, .a_b", "a-b, .a-b", "Orders, .Orders"})
    void queueWhoseKeyIsBoundAsItsNameHasItsLayout(String name, String key) {
        withQueue(name, key)
                .run(context ->
                        assertThat(context.getBean(MessageQueue.class).layout()).isEqualTo(new Layout.Keep()));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithNamedQueue {

        @Bean
        MessageQueue named(Queues queues, Environment environment) {
            return queues.named(environment.getRequiredProperty("named"));
        }
    }

    @Test
    void messageThatCannotBeHandledIsParkedIfThatIsConfigured() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withPropertyValues(
                        "exactly-once.handlers.echo.parking.queue=parked",
                        "exactly-once.handlers.echo.parking.after=2",
                        "exactly-once.handlers.echo.parking.min-duration=50ms",
                        "exactly-once.handlers.echo.max-inputs=10")
                .run(context -> {
                    push(context, "a", "poison", "b");
                    awaitOutputs(context, "a", "b");
                    await().atMost(SOON)
                            .untilAsserted(() ->
                                    assertThat(queue(context, "parked").get(0)).isInstanceOf(Cell.Full.class));
                    awaitHealth(context, "UP", "parked=1");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("exactly.once.parked")
                                    .tag("name", "echo")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void messageThatCannotBeHandledIsTriedAgainAndTold() {
        withHandler().run(context -> {
            push(context, "a", "poison", "b");
            awaitOutputs(context, "a");
            awaitHealth(context, "WARNING", "failing", "cannot handle poison");
            assertThat(messages(queue(context, "out"))).containsExactly("a");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "exactly-once.handlers.ecko.max-inputs, 10, 'echo'",
        "exactly-once.handlers.echo.max-inputs, 0, at least 1",
        "exactly-once.handlers.echo.parking.after, 3, need a queue",
        "exactly-once.queues.in.cells, 1, 2 to 2^30",
        "exactly-once.queues.in.layout, square, layout",
        "exactly-once.shutdown-timeout, 0s, at least one millisecond",
        "exactly-once.idle-pauses.longest, 1ms, not be shorter",
        "exactly-once.failure-pauses.first, 0ms, at least one millisecond",
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
                .withBean(CqlSession.class, ExactlyOnceAutoConfigurationTest::session)
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("exactly-once.cassandra.keyspace"));
    }

    @Test
    void sessionIsTheOneThatThePropertyNamesAndTheOtherIsInjectedByType() {
        application
                .withConfiguration(AutoConfigurations.of(ExactlyOnceSessionAutoConfiguration.class))
                .withUserConfiguration(WithHandler.class)
                .withBean("orders", CqlSession.class, ExactlyOnceAutoConfigurationTest::session)
                .withBean("registers", CqlSession.class, ExactlyOnceAutoConfigurationTest::session)
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
                .withBean("orders", CqlSession.class, ExactlyOnceAutoConfigurationTest::session)
                .withBean("registers", CqlSession.class, ExactlyOnceAutoConfigurationTest::session)
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
                .withBean(CqlSession.class, ExactlyOnceAutoConfigurationTest::session)
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

    // What operators see.

    @Test
    void metersCountStepsAndLag() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withPropertyValues("exactly-once.metrics.lag-interval=5ms")
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    push(context, "a", "b");
                    awaitOutputs(context, "a", "b");
                    await().atMost(SOON).untilAsserted(() -> {
                        assertThat(meters.get("exactly.once.messages")
                                        .tags("kind", "handler", "name", "echo")
                                        .functionCounter()
                                        .count())
                                .isEqualTo(2);
                        assertThat(lag(meters)).isZero();
                        assertThat(meters.get("exactly.once.running").gauge().value())
                                .isEqualTo(1);
                    });
                    push(context, "poison", "c", "d");
                    await().atMost(SOON).untilAsserted(() -> {
                        assertThat(lag(meters)).isEqualTo(3);
                        assertThat(meters.get("exactly.once.failures")
                                        .functionCounter()
                                        .count())
                                .isPositive();
                    });
                });
        awaitNoThreads();
    }

    private static double lag(MeterRegistry meters) {
        return meters.get("exactly.once.lag")
                .tags("name", "echo", "queue", "in")
                .gauge()
                .value();
    }

    /** The first of each kind throws, whatever it is told. */
    @Configuration(proxyBeanMethods = false)
    static class WithListeners {

        record Told(List<String> events) {}

        @Bean
        Told told() {
            return new Told(new CopyOnWriteArrayList<>());
        }

        @Bean
        @Order(1)
        HandlerListener throwing() {
            return new HandlerListener() {
                @Override
                public void stepCommitted(String handler, long step, int messages) {
                    throw new IllegalStateException("a listener that fails");
                }
            };
        }

        @Bean
        @Order(2)
        HandlerListener steps(Told told) {
            return new HandlerListener() {
                @Override
                public void stepCommitted(String handler, long step, int messages) {
                    told.events().add(handler + " " + step + " " + messages);
                }
            };
        }

        @Bean
        @Order(1)
        SinkListener throwingToo() {
            return new SinkListener() {
                @Override
                public void taken(String sink, long index) {
                    throw new IllegalStateException("a listener that fails");
                }
            };
        }

        @Bean
        @Order(2)
        SinkListener transactions(Told told) {
            return new SinkListener() {
                @Override
                public void taken(String sink, long index) {
                    told.events().add(sink + " " + index);
                }
            };
        }
    }

    @Test
    void listenersOfTheApplicationAreToldThoughAnotherThrows() {
        application
                .withUserConfiguration(
                        WithDatabase.class, WithHandler.class, WithSinkAndPump.class, WithListeners.class)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> {
                    context.getBean(AtomicBoolean.class).set(true);
                    push(context, "a", "b");
                    await().atMost(SOON)
                            .untilAsserted(() -> assertThat(context.getBean(WithListeners.Told.class)
                                            .events())
                                    .containsExactlyInAnyOrder("echo 1 1", "echo 2 1", "sink 0", "sink 1"));
                    awaitHealth(context, "UP", "handler echo", "sink sink");
                });
        awaitNoThreads();
    }

    @Test
    void metersAndHealthCanBeSwitchedOff() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withPropertyValues(
                        "exactly-once.metrics.enabled=false", "management.health.exactly-once.enabled=false")
                .run(context -> {
                    assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
                    assertThat(context).doesNotHaveBean("exactlyOnceHealthIndicator");
                });
    }

    @Test
    void healthSaysWhoKeepsARingFull() {
        withHandler().withPropertyValues("exactly-once.queues.out.cells=2").run(context -> {
            queue(context, "out").addConsumer("sleeper");
            push(context, "a", "b", "c");
            awaitHealth(context, "WARNING", "ringFull", "out=[sleeper]");
            queue(context, "out").raiseMark("sleeper", 2);
            awaitHealth(context, "UP", "running=true");
        });
    }

    @Test
    void healthIsDownIfACopyHasEnded() {
        withHandler().run(context -> {
            queue(context, "out").push(new byte[0]);
            push(context, "a");
            awaitHealth(context, "DOWN", "ended", "TwoProducersException", "running=false");
        });
    }

    private static void pushWithGap(ApplicationContext context) throws InterruptedException {
        MessageQueue in = queue(context, "in");
        for (long sequence : new long[] {0, 2}) {
            in.pushAt(
                    in.nextIndex(),
                    new Message(MessageId.of("producer", sequence), List.of(TEXT.encode("m" + sequence))));
        }
    }

    @Test
    void messageThatIsMissingIsToldByHealthAndMeter() {
        withHandler().withUserConfiguration(WithMeters.class).run(context -> {
            pushWithGap(context);
            awaitOutputs(context, "m0", "m2");
            awaitHealth(context, "WARNING", "violations=1", "producer");
            assertThat(context.getBean(MeterRegistry.class)
                            .get("exactly.once.violations")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void messageThatIsMissingEndsTheCopyIfThatIsConfigured() {
        withHandler()
                .withPropertyValues("exactly-once.handlers.echo.on-violation=stop")
                .run(context -> {
                    pushWithGap(context);
                    awaitHealth(context, "DOWN", "SequenceViolationException");
                    assertThat(messages(queue(context, "out"))).containsExactly("m0");
                });
    }

    @Test
    void healthIsAWarningIfTheCopyStandsBy() {
        withHandler().run(context -> {
            push(context, "a");
            awaitOutputs(context, "a");
            context.getBean(CopyLifecycle.class).stop();
            push(context, "b");
            application
                    .withBean("shared", RegisterStore.class, () -> context.getBean(RegisterStore.class))
                    .withUserConfiguration(OfAnotherFormat.class)
                    .run(other -> awaitHealth(other, "WARNING", "standsBy", "format 1"));
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OfAnotherFormat {

        @Bean
        HandlerDefinition<String> echo(HandlerBuilders handlers, Queues queues) {
            return handlers.named("echo", (state, inputs, time) -> HandlerResult.of(state), new Format2(), () -> "")
                    .input(queues.named("in"))
                    .build();
        }
    }

    private static final class Format2 implements StateCodec<String> {

        @Override
        public int format() {
            return 2;
        }

        @Override
        public boolean knows(int format) {
            return format == 2;
        }

        @Override
        public byte[] encode(String state) {
            return TEXT.encode(state);
        }

        @Override
        public String decode(int format, byte[] bytes) {
            return TEXT.decode(bytes);
        }
    }

    // Stores, sinks and pumps.

    @Configuration(proxyBeanMethods = false)
    static class WithDatabase {

        @Bean
        DataSource dataSource() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1");
            return source;
        }
    }

    /** Takes the outputs into a database that is not there at first, and pumps them back to a queue. */
    @Configuration(proxyBeanMethods = false)
    static class WithSinkAndPump {

        @Bean
        AtomicBoolean databaseIsThere() {
            return new AtomicBoolean();
        }

        @Bean
        SinkDefinition sink(Queues queues, DataSource source, AtomicBoolean databaseIsThere) {
            return new SinkDefinition("sink", queues.named("out"), () -> {
                requireDatabase(databaseIsThere);
                JdbcSink.createTables(source, JdbcSinkSettings.defaults());
                return JdbcSink.open(
                        source,
                        "sink",
                        JdbcSinkSettings.defaults(),
                        (transaction, message) -> transaction.send(message.payloads()));
            });
        }

        @Bean
        PumpDefinition pump(Queues queues, DataSource source, AtomicBoolean databaseIsThere) {
            return new PumpDefinition("pump", queues.named("pumped"), () -> {
                requireDatabase(databaseIsThere);
                JdbcSink.createTables(source, JdbcSinkSettings.defaults());
                return JdbcOutbox.open(source, "sink", JdbcSinkSettings.defaults());
            });
        }

        private static void requireDatabase(AtomicBoolean databaseIsThere) {
            if (!databaseIsThere.get()) {
                throw new RegisterUnavailableException("the database is down", new IllegalStateException());
            }
        }
    }

    @Test
    void sinksAndPumpsRunAsHandlersDoAndWaitForTheirDatabase() {
        application
                .withUserConfiguration(WithDatabase.class, WithHandler.class, WithSinkAndPump.class, WithMeters.class)
                .withPropertyValues("exactly-once.store=jdbc", "exactly-once.queues.pumped.cells=2")
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    queue(context, "pumped").addConsumer("sleeper");
                    push(context, "a", "b", "c");
                    awaitHealth(context, "WARNING", "sink sink", "the database is down", "pump pump");
                    await().atMost(SOON)
                            .untilAsserted(() -> assertThat(details(context, "pump pump"))
                                    .contains("failing", "the database is down"));
                    assertThat(ofPump(meters, "exactly.once.failures")).isPositive();
                    context.getBean(AtomicBoolean.class).set(true);
                    awaitHealth(context, "WARNING", "index=3", "pumped=[sleeper]");
                    assertThat(details(context, "pump pump"))
                            .contains("ringFull")
                            .doesNotContain("failing");
                    queue(context, "pumped").raiseMark("sleeper", 1);
                    awaitHealth(context, "UP", "index=3");
                    assertThat(((Cell.Full) queue(context, "pumped").get(2))
                                    .message()
                                    .id()
                                    .producer())
                            .isEqualTo("pump");
                    await().atMost(SOON)
                            .untilAsserted(() -> assertThat(ofPump(meters, "exactly.once.messages"))
                                    .isEqualTo(3));
                });
        awaitNoThreads();
    }

    /** Its pump has the name of the sink from before it was renamed. */
    @Configuration(proxyBeanMethods = false)
    static class WithSinkThatWasRenamed {

        @Bean
        SinkDefinition sink(JdbcSinks sinks, Queues queues) {
            return sinks.named("sink-2", queues.named("out"), (transaction, message) -> {});
        }

        @Bean
        PumpDefinition pump(JdbcSinks sinks, Queues queues) {
            return sinks.pump("pump", "sink", queues.named("pumped"));
        }
    }

    @Test
    void pumpWhoseSinkWasRenamedSaysThatItWaits(CapturedOutput output) {
        application
                .withUserConfiguration(WithDatabase.class, WithHandler.class, WithSinkThatWasRenamed.class)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> {
                    assertThat(output)
                            .contains(
                                    "Pump pump pushes the rows of sink 'sink', which is not a sink of this application;"
                                            + " its sinks are [sink-2]");
                    awaitHealth(
                            context,
                            "WARNING",
                            "pump pump",
                            "no sink has begun to write the outbox of sink 'sink' in the table exactly_once_outbox");
                });
    }

    @Test
    void queueThatIsConfiguredAndNotUsedIsToldOf(CapturedOutput output) {
        withHandler()
                .withPropertyValues("exactly-once.queues.inn.cells=16", "exactly-once.queues.out.cells=16")
                .run(context -> assertThat(output)
                        .contains(
                                "No bean of the application uses queue 'inn', which 'exactly-once.queues' configures. Its"
                                        + " queues are [in, out]")
                        .doesNotContain("uses queue 'out'"));
    }

    private static String details(ApplicationContext context, String copy) {
        return String.valueOf(health(context).getDetails().get(copy));
    }

    private static double ofPump(MeterRegistry meters, String meter) {
        return meters.get(meter)
                .tags("kind", "pump", "name", "pump")
                .functionCounter()
                .count();
    }

    @Test
    void applicationStartsWithoutItsStoreAndWorksWhenItIsThere() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:late;IFEXISTS=TRUE;DB_CLOSE_DELAY=-1");
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(DataSource.class, () -> source)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(DeferredRegisterStore.class);
                    awaitHealth(context, "DOWN", "store", "no connection to the database");
                    source.setURL("jdbc:h2:mem:late;DB_CLOSE_DELAY=-1");
                    push(context, "a");
                    awaitOutputs(context, "a");
                    awaitHealth(context, "UP", "running=true");
                });
        awaitNoThreads();
    }

    @Test
    void applicationWhoseStoreNeverComesClosesAtOnce() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:never;IFEXISTS=TRUE");
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(DataSource.class, () -> source)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> awaitHealth(context, "DOWN", "store"));
        awaitNoThreads();
    }

    @Test
    void pusherThatWaitsForTheStoreEndsWithTheApplication() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:never;IFEXISTS=TRUE");
        AtomicReference<FutureTask<Long>> pushing = new AtomicReference<>();
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(DataSource.class, () -> source)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> {
                    MessageQueue queue = queue(context, "in");
                    FutureTask<Long> push = new FutureTask<>(() -> queue.push(new byte[0]));
                    pushing.set(push);
                    new Thread(push, "pusher").start();
                    awaitHealth(context, "DOWN", "store");
                    assertThat(push.isDone()).isFalse();
                });
        assertThat(pushing.get())
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(RegisterRefusedException.class)
                .withMessageContaining("closed with the application");
    }

    @Test
    void applicationStartsWithoutCassandraIfItsSessionIsLazy() {
        application
                .withConfiguration(AutoConfigurations.of(
                        CassandraAutoConfiguration.class, ExactlyOnceSessionAutoConfiguration.class))
                .withUserConfiguration(WithHandler.class)
                .withPropertyValues(
                        "exactly-once.startup=lazy",
                        "spring.cassandra.contact-points=127.0.0.1:1",
                        "spring.cassandra.local-datacenter=datacenter1",
                        "spring.cassandra.keyspace-name=handlers")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    awaitHealth(context, "DOWN", "Cassandra cannot be reached", "contact-points");
                });
        awaitNoThreads();
    }

    @Test
    void missingTableIsToldIfItMustNotBeCreated() {
        application
                .withUserConfiguration(WithDatabase.class, WithHandler.class)
                .withPropertyValues("exactly-once.store=jdbc", "exactly-once.create-tables=false")
                .run(context -> awaitHealth(context, "DOWN", "exactly_once_registers", "CREATE TABLE"));
    }

    // The end.

    /** Notes the order in which things of an application end. */
    @Configuration(proxyBeanMethods = false)
    static class WithOrder {

        static final List<String> ENDS = new CopyOnWriteArrayList<>();

        /** Where Spring Boot's web server waits for its requests. */
        @Bean
        SmartLifecycle webServer() {
            return new SmartLifecycle() {

                private volatile boolean running;

                @Override
                public int getPhase() {
                    return DEFAULT_PHASE - 1024;
                }

                @Override
                public void start() {
                    running = true;
                }

                @Override
                public void stop() {
                    ENDS.add("web server, copies: " + working());
                    running = false;
                }

                @Override
                public boolean isRunning() {
                    return running;
                }
            };
        }

        @Bean
        AutoCloseable pool() {
            return () -> ENDS.add("pool, copies: " + working());
        }
    }

    @Test
    void copiesEndBeforeTheWebServerAndThePool() {
        WithOrder.ENDS.clear();
        withHandler()
                .withUserConfiguration(WithOrder.class, WithMeters.class)
                .run(context -> awaitHealth(context, "UP", "running=true"));
        assertThat(WithOrder.ENDS).containsExactly("web server, copies: []", "pool, copies: []");
    }

    @Test
    void copiesEndIfTheApplicationFailsWhenTheyHaveStarted() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withBean("failing", ApplicationListener.class, () -> event -> {
                    if (event instanceof ContextRefreshedEvent) {
                        throw new IllegalStateException("fails at the end of the start, with " + copies());
                    }
                })
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("exactly-once-echo-copy"));
        awaitNoThreads();
    }

    @Test
    void functionThatIgnoresTheInterruptDoesNotHoldUpTheEnd() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        application
                .withUserConfiguration(InMemory.class)
                .withPropertyValues("exactly-once.shutdown-timeout=50ms")
                .withInitializer(context -> context.getBeanFactory().registerSingleton("entered", entered))
                .withBean("released", CountDownLatch.class, () -> released)
                .withUserConfiguration(Stubborn.class)
                .run(context -> {
                    push(context, "a");
                    assertThat(entered.await(SOON.toMillis(), TimeUnit.MILLISECONDS))
                            .isTrue();
                });
        assertThat(copies()).contains("exactly-once-stubborn-copy");
        released.countDown();
        awaitNoThreads();
    }

    @Configuration(proxyBeanMethods = false)
    static class Stubborn {

        @Bean
        HandlerDefinition<String> stubborn(
                HandlerBuilders handlers, Queues queues, CountDownLatch entered, CountDownLatch released) {
            return handlers.named(
                            "stubborn",
                            (state, inputs, time) -> {
                                entered.countDown();
                                awaitUninterruptibly(released);
                                return HandlerResult.of(state);
                            },
                            StateCodec.of(TEXT),
                            () -> "")
                    .input(queues.named("in"))
                    .build();
        }

        private static void awaitUninterruptibly(CountDownLatch latch) {
            while (true) {
                try {
                    latch.await();
                    return;
                } catch (InterruptedException e) {
                    // the test is about a function that ignores it
                }
            }
        }
    }
}

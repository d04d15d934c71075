package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.spring.JdbcSinks;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Which data source registers and sinks are in, and in whose transactions effects run. */
@Timeout(60)
class SinkTransactionsTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Codec<String> TEXT = Codec.utf8();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ExactlyOnceAutoConfiguration.class, ExactlyOnceMethodAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
            .withPropertyValues(
                    "exactly-once.store=jdbc",
                    "exactly-once.poll.max-interval=20ms",
                    "exactly-once.retry.initial-interval=1ms");

    private static DataSource database() {
        return JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    @Configuration(proxyBeanMethods = false)
    static class OneDatabase {

        @Bean
        DataSource one() {
            return database();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        DataSource one() {
            return database();
        }

        @Bean
        DataSource two() {
            return database();
        }
    }

    /** Tells what has become of transactions. */
    @Configuration(proxyBeanMethods = false)
    static class WithEvents {

        record Events(List<String> taken, List<Throwable> failures, List<Throwable> ends) {}

        @Bean
        Events events() {
            return new Events(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
        }

        @Bean
        SinkListener listener(Events events) {
            return new SinkListener() {
                @Override
                public void onTaken(String sink, long index) {
                    events.taken().add(sink + " " + index);
                }

                @Override
                public void onTransactionFailed(String sink, int attempt, RuntimeException cause) {
                    events.failures().add(cause);
                }

                @Override
                public void onFailed(String sink, Throwable cause) {
                    events.ends().add(cause);
                }
            };
        }
    }

    /** Writes by a template, and fails at every other call. */
    private static void write(DataSource source, AtomicInteger calls, byte[] text) {
        new JdbcTemplate(source).update("INSERT INTO notes VALUES (?)", TEXT.decode(text));
        if (calls.getAndIncrement() % 2 == 0) {
            throw new IllegalArgumentException("every other call fails");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Sink {

        @Bean
        SinkDefinition notes(JdbcSinks sinks, Queues queues, ApplicationContext beans) {
            AtomicInteger calls = new AtomicInteger();
            return sinks.named(
                    "notes",
                    queues.named("in"),
                    (transaction, message) -> write(
                            beans.getBean(beans.getEnvironment().getProperty("written", "one"), DataSource.class),
                            calls,
                            message.payloads().get(0)));
        }
    }

    /** Opens the sink itself. */
    @Configuration(proxyBeanMethods = false)
    static class OwnSink {

        @Bean
        SinkDefinition notes(Queues queues, ApplicationContext beans, Environment environment) {
            DataSource source = beans.getBean(environment.getProperty("written", "one"), DataSource.class);
            AtomicInteger calls = new AtomicInteger();
            return new SinkDefinition("notes", queues.named("in"), () -> {
                JdbcSink.createTables(source, JdbcSinkSettings.defaults());
                return JdbcSink.open(
                        source,
                        "notes",
                        JdbcSinkSettings.defaults(),
                        (transaction, message) ->
                                write(source, calls, message.payloads().get(0)));
            });
        }
    }

    private static void assertWrittenOnce(ApplicationContext context, String source) throws InterruptedException {
        JdbcTemplate template = new JdbcTemplate(context.getBean(source, DataSource.class));
        template.execute("CREATE TABLE notes (text varchar(100))");
        for (String text : List.of("a", "b", "c")) {
            context.getBean(Queues.class).named("in").push(text.getBytes(StandardCharsets.UTF_8));
        }
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                context.getBean(WithEvents.Events.class).taken())
                        .contains("notes 2"));
        assertThat(template.queryForList("SELECT text FROM notes ORDER BY text", String.class))
                .containsExactly("a", "b", "c");
    }

    @Test
    void templateTakesPartWithoutAnyTransactionManager() {
        application
                .withUserConfiguration(OneDatabase.class, WithEvents.class, Sink.class)
                .run(context -> assertWrittenOnce(context, "one"));
    }

    @Test
    void templateTakesPartInASinkThatTheApplicationOpensItself() {
        application
                .withUserConfiguration(OneDatabase.class, WithEvents.class, OwnSink.class)
                .run(context -> assertWrittenOnce(context, "one"));
    }

    @Configuration(proxyBeanMethods = false)
    static class ManagerOfOne {

        @Bean
        PlatformTransactionManager managerOfOne(@Qualifier("one") DataSource one) {
            return new DataSourceTransactionManager(one);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ManagerOfTwo {

        @Bean
        PlatformTransactionManager managerOfTwo(@Qualifier("two") DataSource two) {
            return new JdbcTransactionManager(two);
        }
    }

    @Test
    void propertyNamesOneOfTwoDataSourcesAndItsManagerIsFound() {
        application
                .withUserConfiguration(
                        TwoDatabases.class, ManagerOfOne.class, ManagerOfTwo.class, WithEvents.class, Sink.class)
                .withPropertyValues("exactly-once.jdbc.data-source-bean=two", "written=two")
                .run(context -> assertWrittenOnce(context, "two"));
    }

    @Test
    void sinkThatTheApplicationOpensRunsInTheTransactionsOfItsDataSource() {
        application
                .withUserConfiguration(
                        TwoDatabases.class, ManagerOfOne.class, ManagerOfTwo.class, WithEvents.class, OwnSink.class)
                .withPropertyValues(
                        "exactly-once.jdbc.data-source-bean=one",
                        "exactly-once.jdbc.transaction-manager-bean=managerOfOne",
                        "written=two")
                .run(context -> assertWrittenOnce(context, "two"));
    }

    @ParameterizedTest
    @CsvSource({
        "exactly-once.metrics.enabled, false, several DataSource beans",
        "exactly-once.jdbc.data-source-bean, three, it has 'one'",
        "exactly-once.jdbc.data-source-bean, managerOfOne, it has 'one'"
    })
    void dataSourceThatIsNotClearStopsTheApplication(String property, String value, String why) {
        application
                .withUserConfiguration(TwoDatabases.class, ManagerOfOne.class, WithEvents.class, OwnSink.class)
                .withPropertyValues(property + "=" + value)
                .run(context -> {
                    assertThat(context).getFailure().hasStackTraceContaining(why);
                    assertThat(new ExplainedFailureAnalyzer()
                                    .analyze(context.getStartupFailure())
                                    .getAction())
                            .isNotEmpty();
                });
    }

    @ParameterizedTest
    @CsvSource({
        "managerOfOne, not of the data source of exactly once",
        "nobody, no PlatformTransactionManager bean of this name",
        "messages, not of the data source of exactly once",
        "'', of other data sources than exactly once: 'managerOfOne'"
    })
    void managerThatDoesNotFitStopsTheApplication(String manager, String why) {
        application
                .withUserConfiguration(TwoDatabases.class, ManagerOfOne.class, WithEvents.class, Sink.class)
                .withBean("messages", PlatformTransactionManager.class, MessagesManager::new)
                .withPropertyValues("exactly-once.jdbc.data-source-bean=two")
                .withPropertyValues(manager.isEmpty() ? "a=b" : "exactly-once.jdbc.transaction-manager-bean=" + manager)
                .run(context -> {
                    assertThat(context).getFailure().hasStackTraceContaining(why);
                    assertThat(new ExplainedFailureAnalyzer()
                                    .analyze(context.getStartupFailure())
                                    .getDescription())
                            .contains("exactly-once.jdbc.transaction-manager-bean");
                });
    }

    /** Of a broker, and of no database. */
    private static final class MessagesManager extends AbstractPlatformTransactionManager
            implements ResourceTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        public Object getResourceFactory() {
            return "a broker";
        }

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherManagerOfOne {

        @Bean
        PlatformTransactionManager another(@Qualifier("one") DataSource one) {
            return new DataSourceTransactionManager(new LazyConnectionDataSourceProxy(one));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryManagerOfOne {

        @Bean
        @Primary
        PlatformTransactionManager primary(@Qualifier("one") DataSource one) {
            return new DataSourceTransactionManager(one);
        }
    }

    @Test
    void severalManagersOfOneDataSourceNeedAName() {
        application
                .withUserConfiguration(
                        OneDatabase.class, ManagerOfOne.class, AnotherManagerOfOne.class, WithEvents.class, Sink.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("several transaction managers")
                        .hasStackTraceContaining("'managerOfOne'"));
        application
                .withUserConfiguration(
                        OneDatabase.class, ManagerOfOne.class, AnotherManagerOfOne.class, WithEvents.class, Sink.class)
                .withPropertyValues("exactly-once.jdbc.transaction-manager-bean=managerOfOne")
                .run(context -> assertWrittenOnce(context, "one"));
    }

    @Test
    void primaryManagerIsTakenOfSeveral() {
        application
                .withUserConfiguration(
                        OneDatabase.class,
                        PrimaryManagerOfOne.class,
                        AnotherManagerOfOne.class,
                        WithEvents.class,
                        Sink.class)
                .run(context -> assertWrittenOnce(context, "one"));
    }

    @Test
    void managerBehindAProxyOfSpringIsSeen() {
        application
                .withUserConfiguration(OneDatabase.class, WithEvents.class, Sink.class)
                .withUserConfiguration(ProxiedManager.class)
                .run(context -> assertWrittenOnce(context, "one"));
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxiedManager {

        @Bean
        PlatformTransactionManager proxied(DataSource one) {
            return (PlatformTransactionManager) new ProxyFactory(new JdbcTransactionManager(one)).getProxy();
        }
    }

    /** Does not say which data source it is of. */
    private record Delegating(PlatformTransactionManager manager) implements PlatformTransactionManager {

        @Override
        public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
            return manager.getTransaction(definition);
        }

        @Override
        public void commit(TransactionStatus status) {
            manager.commit(status);
        }

        @Override
        public void rollback(TransactionStatus status) {
            manager.rollback(status);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DelegatingManager {

        @Bean
        PlatformTransactionManager delegating(ApplicationContext beans, Environment environment) {
            return new Delegating(new JdbcTransactionManager(
                    beans.getBean(environment.getProperty("managed", "one"), DataSource.class)));
        }
    }

    @Test
    void managerThatDoesNotSayWhatItManagesIsSeenByItsTransactions() {
        application
                .withUserConfiguration(OneDatabase.class, DelegatingManager.class, WithEvents.class, Sink.class)
                .run(context -> assertWrittenOnce(context, "one"));
        application
                .withUserConfiguration(TwoDatabases.class, DelegatingManager.class, WithEvents.class, Sink.class)
                .withPropertyValues("exactly-once.jdbc.data-source-bean=one", "managed=two")
                .run(context -> {
                    context.getBean(Queues.class).named("in").push("a".getBytes(StandardCharsets.UTF_8));
                    await().atMost(SOON)
                            .untilAsserted(() -> assertThat(context.getBean(WithEvents.Events.class)
                                            .ends())
                                    .singleElement()
                                    .satisfies(end -> assertThat(end)
                                            .hasMessageContaining("'delegating'")
                                            .hasMessageContaining("exactly-once.jdbc.transaction-manager-bean")));
                });
    }
}

package io.github.cassandralock.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import io.github.cassandralock.databases.DatabaseApplication.Effect;
import io.github.cassandralock.databases.DatabaseApplication.WithQueue;
import io.github.cassandralock.databases.DatabaseApplication.WithSink;
import io.github.cassandralock.exactlyonce.jdbc.InterceptedDataSource;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.spring.MessagePusher;
import io.github.cassandralock.exactlyonce.spring.Queues;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.Synchronization;
import jakarta.transaction.UserTransaction;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.hibernate.Session;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What holds in an application with any database: migrations come first, and effects run in the application's transactions. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class DatabaseApplicationContract {

    private static final Duration BOUND = Duration.ofSeconds(40);

    /** Where nothing was written yet. */
    abstract String emptyDatabase() throws SQLException;

    abstract String user();

    private String url = "";

    @BeforeEach
    void createDatabase() throws SQLException {
        url = emptyDatabase();
    }

    private ConfigurableApplicationContext start(boolean jpa, Effect effect, Class<?>[] classes, String... properties) {
        List<Class<?>> all = new ArrayList<>(List.of(classes));
        return DatabaseApplication.start(
                url, user(), jpa, all, builder -> withBean(builder, "effect", Effect.class, effect), properties);
    }

    private static <T> void withBean(SpringApplicationBuilder builder, String name, Class<T> type, T bean) {
        builder.initializers(context -> ((GenericApplicationContext) context).registerBean(name, type, () -> bean));
    }

    private static Class<?>[] classes(Class<?>... classes) {
        return classes;
    }

    private List<String> query(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user(), "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    private List<String> notes() throws SQLException {
        return query("SELECT text FROM note ORDER BY text");
    }

    /** A message is in this queue when the transaction of its effect was committed. */
    private static void awaitPumped(ConfigurableApplicationContext application, int messages) {
        MessageQueue pumped = application.getBean(Queues.class).named("pumped");
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(pumped.read(messages - 1)).isInstanceOf(Cell.Full.class));
    }

    @Test
    void runsOnTheSpringBootThatIsMeant() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.spring-boot.version"));
    }

    // The plain case.

    @Test
    void methodTakesEachMessageOnceInItsTransaction() throws Exception {
        try (ConfigurableApplicationContext application = DatabaseApplication.start(
                url, user(), true, List.of(MethodApplication.class), builder -> {}, "spring.flyway.enabled=false")) {
            application.getBean(JdbcTemplate.class).execute(MethodApplication.CREATE_SHIPMENTS);
            MessagePusher pusher = application.getBean(MessagePusher.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            transaction.executeWithoutResult(status -> {
                pusher.push(MethodApplication.QUEUE, "0");
                status.setRollbackOnly();
            });
            pusher.pushAll(MethodApplication.QUEUE, List.of("1", "2"));
            pusher.pushInOrder(MethodApplication.QUEUE, "a", "3");
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(query("SELECT count(*) FROM exactly_once_messages"))
                            .containsExactly("0"));
            assertThat(query("SELECT item FROM shipments ORDER BY item")).containsExactly("1", "2", "3");
        }
    }

    /** The listener calls a transactional method. Hibernate calls its own callback within the commit. */
    @Test
    void pushAfterTheCommitOfJpaIsRefused() throws Exception {
        List<Throwable> refusals = new ArrayList<>();
        try (ConfigurableApplicationContext application = DatabaseApplication.start(
                url, user(), true, List.of(MethodApplication.class), builder -> {}, "spring.flyway.enabled=false")) {
            application.getBean(JdbcTemplate.class).execute(MethodApplication.CREATE_SHIPMENTS);
            MessagePusher pusher = application.getBean(MessagePusher.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            Runnable push = () -> refusals.add(catchThrowable(() -> pusher.push(MethodApplication.QUEUE, "2")));
            transaction.executeWithoutResult(status -> {
                EntityManager entities = Objects.requireNonNull(EntityManagerFactoryUtils.getTransactionalEntityManager(
                        application.getBean(EntityManagerFactory.class)));
                entities.unwrap(Session.class).getTransaction().registerSynchronization(afterCompletion(push));
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int outcome) {
                        transaction.executeWithoutResult(joined -> push.run());
                    }
                });
                pusher.push(MethodApplication.QUEUE, "1");
            });
            assertThat(refusals)
                    .hasSize(2)
                    .allSatisfy(refusal -> assertThat(refusal).hasMessageContaining("has ended"));
            await().atMost(BOUND)
                    .untilAsserted(() ->
                            assertThat(query("SELECT item FROM shipments")).containsExactly("1"));
        }
    }

    private static Synchronization afterCompletion(Runnable action) {
        return new Synchronization() {
            @Override
            public void beforeCompletion() {}

            @Override
            public void afterCompletion(int status) {
                action.run();
            }
        };
    }

    // Migrations.

    /** Flyway refuses a schema with tables that it has not created. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void flywayFindsAnEmptySchemaAndThenTheTablesAreCreated(boolean lazily) throws Exception {
        for (int start = 0; start < 3; start++) {
            url = emptyDatabase();
            try (ConfigurableApplicationContext application = start(
                    false,
                    Writers.JDBC_TEMPLATE::write,
                    classes(WithSink.class),
                    "spring.main.lazy-initialization=" + lazily)) {
                DatabaseApplication.push(application, "a");
                awaitPumped(application, 1);
                assertThat(notes()).containsExactly("a");
            }
        }
    }

    /** Pushes when it is made. */
    @Configuration(proxyBeanMethods = false)
    static class EarlyPusher {

        @Bean
        Long index(Queues queues) throws InterruptedException {
            return queues.named("in").push("early".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void messageThatIsPushedWhileBeansAreMadeComesAfterTheMigration() throws Exception {
        try (ConfigurableApplicationContext application =
                start(false, Writers.JDBC_TEMPLATE::write, classes(EarlyPusher.class, WithSink.class))) {
            awaitPumped(application, 1);
            assertThat(notes()).containsExactly("early");
        }
    }

    /** As applications do that configure Flyway themselves; Spring Boot's own is switched off. */
    @Configuration(proxyBeanMethods = false)
    static class OwnFlyway {

        @Bean(initMethod = "migrate")
        Flyway flyway(DataSource source) {
            return Flyway.configure().dataSource(source).load();
        }
    }

    @Test
    void flywayBeanOfTheApplicationFindsAnEmptySchema() throws Exception {
        try (ConfigurableApplicationContext application = start(
                false,
                Writers.JDBC_TEMPLATE::write,
                classes(EarlyPusher.class, WithSink.class, OwnFlyway.class),
                "spring.flyway.enabled=false")) {
            awaitPumped(application, 1);
            assertThat(notes()).containsExactly("early");
        }
    }

    @Test
    void liquibaseFindsAnEmptySchemaAndThenTheTablesAreCreated() throws Exception {
        try (ConfigurableApplicationContext application = start(
                true,
                Writers.REPOSITORY::write,
                classes(WithSink.class),
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=true",
                "spring.liquibase.change-log=classpath:db/changelog/note.sql")) {
            DatabaseApplication.push(application, "a");
            awaitPumped(application, 1);
            assertThat(notes()).containsExactly("a");
        }
    }

    /** The scripts run after JPA has created its tables. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "true, true"})
    void scriptsFindAnEmptySchemaAndThenTheTablesAreCreated(boolean jpa, boolean deferred) throws Exception {
        try (ConfigurableApplicationContext application = start(
                jpa,
                Writers.JDBC_TEMPLATE::write,
                classes(WithSink.class),
                "spring.flyway.enabled=false",
                "spring.jpa.defer-datasource-initialization=" + deferred,
                "spring.sql.init.mode=always",
                "spring.sql.init.schema-locations=classpath:note.sql")) {
            DatabaseApplication.push(application, "a");
            awaitPumped(application, 1);
            assertThat(notes()).containsExactly("a");
            assertThat(query("SELECT table_name FROM tables_before")).isEmpty();
        }
    }

    /** Migrates by its own means, when it is made; Spring Boot has no notion of it. */
    @Configuration(proxyBeanMethods = false)
    static class OwnMigration {

        record Migrated(List<String> tablesBefore) {}

        @Bean
        Migrated migrated(DataSource source, MessageQueue in) throws InterruptedException {
            JdbcTemplate template = new JdbcTemplate(source);
            TimeUnit.MILLISECONDS.sleep(300); // what is done at the same time would come before it
            List<String> before = template.queryForList(
                    "SELECT table_name FROM information_schema.tables WHERE LOWER(table_name) LIKE 'exactly_once%'",
                    String.class);
            return new Migrated(before);
        }
    }

    @Test
    void tablesAreCreatedWhenAllBeansAreMade() {
        try (ConfigurableApplicationContext application = start(
                false,
                Writers.JDBC_TEMPLATE::write,
                classes(WithQueue.class, OwnMigration.class),
                "spring.flyway.enabled=false")) {
            assertThat(application.getBean(OwnMigration.Migrated.class).tablesBefore())
                    .isEmpty();
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(
                                    query(
                                            "SELECT table_name FROM information_schema.tables WHERE LOWER(table_name) = 'exactly_once_registers'"))
                            .hasSize(1));
        }
    }

    // Proxies.

    /** The pool is beneath proxies that take part in transactions. */
    @Configuration(proxyBeanMethods = false)
    static class Proxied {

        @Bean
        @Primary
        DataSource proxy(Environment environment) {
            DataSource pool = DataSourceBuilder.create()
                    .url(environment.getRequiredProperty("spring.datasource.url"))
                    .username(environment.getRequiredProperty("spring.datasource.username"))
                    .password("")
                    .build();
            DataSource proxy = new TransactionAwareDataSourceProxy(pool);
            return switch (environment.getRequiredProperty("around")) {
                case "nothing" -> proxy;
                case "lazy" -> new LazyConnectionDataSourceProxy(proxy);
                default -> new DelegatingDataSource(new DelegatingDataSource(proxy));
            };
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "lazy", "delegating"})
    void rowIsRolledBackAlthoughAMessageIsPushedInItsTransaction(String around) throws Exception {
        try (ConfigurableApplicationContext application = start(
                false, Writers.JDBC_TEMPLATE::write, classes(WithQueue.class, Proxied.class), "around=" + around)) {
            TransactionTemplate transaction =
                    new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            transaction.executeWithoutResult(status -> {
                Writers.JDBC_TEMPLATE.write(application.getBeanFactory(), "rolled back");
                pushUnchecked(application, "a");
                status.setRollbackOnly();
            });
            assertThat(notes()).isEmpty();
            assertThat(application.getBean(Queues.class).named("in").read(0)).isInstanceOf(Cell.Full.class);
        }
    }

    private static void pushUnchecked(ConfigurableApplicationContext application, String text) {
        try {
            DatabaseApplication.push(application, text);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each thread holds a connection and needs another one, and the pool has none. */
    @Test
    void threadsThatPushInTransactionsAreRefusedIfThePoolHasNoMoreConnections() throws Exception {
        int threads = 3;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (ConfigurableApplicationContext application = start(
                false,
                Writers.JDBC_TEMPLATE::write,
                classes(WithQueue.class),
                "spring.datasource.hikari.maximum-pool-size=" + threads,
                "spring.datasource.hikari.connection-timeout=500")) {
            DatabaseApplication.push(application, "the store is open");
            TransactionTemplate transaction =
                    new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            CyclicBarrier all = new CyclicBarrier(threads);
            List<Future<?>> pushes = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                pushes.add(pool.submit(() -> transaction.executeWithoutResult(status -> {
                    Writers.JDBC_TEMPLATE.write(application.getBeanFactory(), "with the push");
                    meet(all);
                    pushUnchecked(application, "a");
                })));
            }
            List<Throwable> failures = new ArrayList<>();
            for (Future<?> push : pushes) {
                failures.addAll(failureWithin(BOUND, push));
            }
            assertThat(failures)
                    .isNotEmpty()
                    .allSatisfy(failure -> assertThat(failure)
                            .isInstanceOf(RegisterRefusedException.class)
                            .hasMessageContaining("This thread holds a connection, since it is in a transaction"));
            assertThat(notes()).hasSize(threads - failures.size());
            DatabaseApplication.push(application, "the pool has connections again");
        } finally {
            pool.shutdownNow();
        }
    }

    private static void meet(CyclicBarrier all) {
        try {
            all.await(BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Throwable> failureWithin(Duration bound, Future<?> future) throws Exception {
        try {
            future.get(bound.toSeconds(), TimeUnit.SECONDS);
            return List.of();
        } catch (ExecutionException e) {
            return List.of(e.getCause());
        }
    }

    // Effects.

    private static Effect everyOtherCallFails(Effect effect) {
        AtomicInteger calls = new AtomicInteger();
        return (beans, text) -> {
            effect.of(beans, text);
            if (calls.getAndIncrement() % 2 == 0) {
                throw new IllegalArgumentException("every other call fails");
            }
        };
    }

    @ParameterizedTest
    @CsvSource({"JDBC_TEMPLATE, false", "JOOQ, false", "JDBC_TEMPLATE, true", "JOOQ, true", "REPOSITORY, true"})
    void whatAnEffectWritesByOrdinaryMeansIsCommittedWithTheIndex(Writers writer, boolean jpa) throws Exception {
        try (ConfigurableApplicationContext application =
                start(jpa, everyOtherCallFails(writer::write), classes(WithSink.class))) {
            DatabaseApplication.push(application, "a", "b", "c");
            awaitPumped(application, 3);
            assertThat(notes()).containsExactly("a", "b", "c");
        }
    }

    /** Named by the data source alone; the proxy has another identity than the pool that the manager has. */
    @Test
    void effectRunsInTheTransactionOfAProxiedDataSource() throws Exception {
        try (ConfigurableApplicationContext application = start(
                false,
                everyOtherCallFails(Writers.JDBC_TEMPLATE::write),
                classes(WithSink.class, Proxied.class),
                "around=nothing")) {
            DatabaseApplication.push(application, "a", "b");
            awaitPumped(application, 2);
            assertThat(notes()).containsExactly("a", "b");
        }
    }

    /** A service as applications have it. */
    static class Notebook {

        private final NoteRepository notes;

        Notebook(NoteRepository notes) {
            this.notes = notes;
        }

        @Transactional
        void write(String text) {
            notes.save(new Note(UUID.randomUUID(), text));
        }

        @Transactional
        void fail(String text) {
            write(text);
            throw new IllegalStateException("the service fails");
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void writeApart(String text) {
            write(text);
        }

        @Transactional(readOnly = true)
        long count() {
            return notes.count();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithNotebook {

        @Bean
        Notebook notebook(NoteRepository notes) {
            return new Notebook(notes);
        }
    }

    /** Tells failures of transactions. */
    private static final class Failures implements SinkListener {

        private final List<Throwable> causes = new CopyOnWriteArrayList<>();
        private final List<Throwable> ends = new CopyOnWriteArrayList<>();

        @Override
        public void onTransactionFailed(String sink, int attempt, RuntimeException cause) {
            causes.add(cause);
        }

        @Override
        public void onFailed(String sink, Throwable cause) {
            ends.add(cause);
        }
    }

    private ConfigurableApplicationContext startTelling(Failures failures, Effect effect, Class<?>... more) {
        List<Class<?>> all = new ArrayList<>(List.of(more));
        all.add(WithSink.class);
        return DatabaseApplication.start(url, user(), true, all, builder -> {
            withBean(builder, "effect", Effect.class, effect);
            withBean(builder, "failures", SinkListener.class, failures);
        });
    }

    @Test
    void transactionThatIsMarkedAsRollbackOnlyIsToldAndTriedAgain() throws Exception {
        Failures failures = new Failures();
        Effect effect = (beans, text) -> {
            try {
                beans.getBean(Notebook.class).fail(text);
            } catch (IllegalStateException e) {
                // the service has marked the transaction, and the effect goes on
            }
        };
        try (ConfigurableApplicationContext application = startTelling(failures, effect, WithNotebook.class)) {
            DatabaseApplication.push(application, "a");
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(failures.causes)
                            .hasSizeGreaterThan(1)
                            .allSatisfy(cause -> assertThat(cause).hasMessageContaining("rollback-only")));
            assertThat(notes()).isEmpty();
            assertThat(failures.ends).isEmpty();
        }
    }

    @Test
    void transactionalMethodsTakePartAndReadWhatTheEffectHasWritten() throws Exception {
        Failures failures = new Failures();
        List<Long> counts = new CopyOnWriteArrayList<>();
        Effect effect = everyOtherCallFails((beans, text) -> {
            Notebook notebook = beans.getBean(Notebook.class);
            notebook.write(text);
            counts.add(notebook.count());
        });
        try (ConfigurableApplicationContext application = startTelling(failures, effect, WithNotebook.class)) {
            DatabaseApplication.push(application, "a", "b");
            awaitPumped(application, 2);
            assertThat(notes()).containsExactly("a", "b");
            assertThat(counts).containsExactly(1L, 1L, 2L, 2L);
        }
    }

    @Test
    void transactionOfItsOwnWithinAnEffectIsCommittedAlsoIfTheEffectFails() throws Exception {
        Failures failures = new Failures();
        Effect effect = everyOtherCallFails((beans, text) -> {
            beans.getBean(Notebook.class).writeApart("apart");
            beans.getBean(Notebook.class).write(text);
        });
        try (ConfigurableApplicationContext application = startTelling(failures, effect, WithNotebook.class)) {
            DatabaseApplication.push(application, "a");
            awaitPumped(application, 1);
            assertThat(notes()).containsExactly("a", "apart", "apart");
        }
    }

    /** JPA sends it to the database when it flushes, after the effect. */
    @Test
    void entityThatTheDatabaseRefusesEndsTheCopyAndChangesNothing() throws Exception {
        Failures failures = new Failures();
        Effect effect = (beans, text) ->
                beans.getBean(NoteRepository.class).save(new Note(UUID.randomUUID(), text.repeat(101)));
        try (ConfigurableApplicationContext application = startTelling(failures, effect)) {
            DatabaseApplication.push(application, "a");
            await().atMost(BOUND).untilAsserted(() -> assertThat(failures.ends).hasSize(1));
            assertThat(failures.ends.get(0)).hasMessageContaining("the database refuses");
            assertThat(failures.causes).isEmpty();
            assertThat(notes()).isEmpty();
            assertThat(query("SELECT next_index FROM exactly_once_sinks")).containsExactly("0");
        }
    }

    @Test
    void transactionThatAnEffectLeavesOpenEndsTheCopy() throws Exception {
        Failures failures = new Failures();
        Effect effect = (beans, text) -> {
            Writers.JDBC_TEMPLATE.write(beans, text);
            var unused = beans.getBean(PlatformTransactionManager.class)
                    .getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        };
        try (ConfigurableApplicationContext application = startTelling(failures, effect)) {
            DatabaseApplication.push(application, "a");
            await().atMost(BOUND).untilAsserted(() -> assertThat(failures.ends).hasSize(1));
            assertThat(failures.ends.get(0)).hasMessageContaining("left a transaction open");
            assertThat(notes()).isEmpty();
        }
    }

    @Test
    void listenerThatFailsAfterTheCommitChangesNothing() throws Exception {
        Failures failures = new Failures();
        Effect effect = (beans, text) -> {
            Writers.REPOSITORY.write(beans, text);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new IllegalStateException("a listener that fails");
                }
            });
        };
        try (ConfigurableApplicationContext application = startTelling(failures, effect)) {
            DatabaseApplication.push(application, "a", "b");
            awaitPumped(application, 2);
            assertThat(notes()).containsExactly("a", "b");
            assertThat(failures.causes).isEmpty();
        }
    }

    /** The next commit is made, and its answer is lost. */
    @Configuration(proxyBeanMethods = false)
    static class Losing {

        @Bean
        AtomicBoolean loses() {
            return new AtomicBoolean();
        }

        @Bean
        DataSource losing(Environment environment, AtomicBoolean loses) {
            DataSource pool = DataSourceBuilder.create()
                    .url(environment.getRequiredProperty("spring.datasource.url"))
                    .username(environment.getRequiredProperty("spring.datasource.username"))
                    .password("")
                    .build();
            return InterceptedDataSource.of(pool, (method, sql, call) -> {
                Object result = call.proceed();
                if (method.equals("commit") && loses.getAndSet(false)) {
                    throw new SQLException("The connection was lost", "08006");
                }
                return result;
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void effectWhoseCommitIsNotAnsweredTakesPlaceOnce(boolean jpa) throws Exception {
        Failures failures = new Failures();
        AtomicInteger calls = new AtomicInteger();
        Effect effect = (beans, text) -> {
            calls.incrementAndGet();
            Writers.JDBC_TEMPLATE.write(beans, text);
            beans.getBean(AtomicBoolean.class).set(text.equals("b"));
        };
        try (ConfigurableApplicationContext application =
                DatabaseApplication.start(url, user(), jpa, List.of(WithSink.class, Losing.class), builder -> {
                    withBean(builder, "effect", Effect.class, effect);
                    withBean(builder, "failures", SinkListener.class, failures);
                })) {
            DatabaseApplication.push(application, "a", "b", "c");
            awaitPumped(application, 3);
            assertThat(notes()).containsExactly("a", "b", "c");
            assertThat(calls).hasValue(3);
            assertThat(failures.causes)
                    .singleElement()
                    .satisfies(cause -> assertThat(cause).hasMessageContaining("unknown"));
        }
    }

    @Test
    void connectionOfTheTransactionIsThatOfTheManager() throws Exception {
        try (ConfigurableApplicationContext application = start(
                true,
                (beans, text) -> {
                    TransactionTemplate joined =
                            new TransactionTemplate(beans.getBean(PlatformTransactionManager.class));
                    joined.setPropagationBehavior(TransactionDefinition.PROPAGATION_MANDATORY);
                    joined.executeWithoutResult(status -> Writers.JDBC_TEMPLATE.write(beans, text));
                },
                classes(WithSink.class))) {
            DatabaseApplication.push(application, "a");
            awaitPumped(application, 1);
            assertThat(notes()).containsExactly("a");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithJta {

        @Bean
        JtaTransactionManager jta() {
            return new JtaTransactionManager(mock(UserTransaction.class));
        }
    }

    @Test
    void managerOfJtaStopsTheApplication() {
        assertThatThrownBy(() -> start(false, Writers.JDBC_TEMPLATE::write, classes(WithSink.class, WithJta.class))
                        .close())
                .hasStackTraceContaining("'exactly-once.jdbc.transaction-manager-bean' is 'jta'")
                .hasStackTraceContaining("transaction manager of JTA");
    }
}

package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.spring.ExactlyOnce;
import io.github.cassandralock.exactlyonce.spring.MessagePusher;
import io.github.cassandralock.exactlyonce.table.Lanes;
import io.github.cassandralock.exactlyonce.table.jdbc.JdbcMessageTable;
import io.github.cassandralock.exactlyonce.table.jdbc.MessageTableSettings;
import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.endpoint.ExactlyOnceEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods with {@code @ExactlyOnce} that run, and what is pushed to them. */
@Timeout(60)
class ExactlyOnceMethodTest {

    private static final byte[] GOOD = {1, 2, 3};
    private static final Duration SOON = Duration.ofSeconds(20);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ExactlyOnceAutoConfiguration.class, ExactlyOnceMethodAutoConfiguration.class))
            .withUserConfiguration(Database.class)
            .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
            .withPropertyValues("exactly-once.poll.max-interval=20ms", "exactly-once.retry.initial-interval=1ms");

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Database {

        @Bean(destroyMethod = "dispose")
        JdbcConnectionPool database() {
            return JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        }

        @Bean
        PlatformTransactionManager transactions(DataSource source) {
            return new JdbcTransactionManager(source);
        }

        @Bean
        JdbcTemplate template(DataSource source) {
            JdbcTemplate template = new JdbcTemplate(source);
            template.execute("CREATE TABLE shipments (item varchar(100))");
            return template;
        }
    }

    static List<String> shipments(JdbcTemplate template) {
        return template.queryForList("SELECT item FROM shipments ORDER BY item", String.class);
    }

    private static void awaitShipments(JdbcTemplate template, String... items) {
        await().atMost(SOON).untilAsserted(() -> assertThat(shipments(template)).containsExactly(items));
    }

    static class Shipping {

        private final JdbcTemplate template;
        private final AtomicInteger calls = new AtomicInteger();

        Shipping(JdbcTemplate template) {
            this.template = template;
        }

        @ExactlyOnce(queue = "orders")
        void ship(String order) {
            template.update("INSERT INTO shipments VALUES (?)", order);
            if (calls.getAndIncrement() % 2 == 0) {
                throw new IllegalArgumentException("every other call fails");
            }
        }
    }

    @Test
    void eachMessageTakesEffectOnceThoughTheMethodFails() {
        application.withBean(Shipping.class).run(context -> {
            MessagePusher pusher = context.getBean(MessagePusher.class);
            pusher.push("orders", "a");
            pusher.pushAll("orders", List.of("b", "c"));
            JdbcTemplate template = context.getBean(JdbcTemplate.class);
            awaitShipments(template, "a", "b", "c");
            await().atMost(SOON).until(() -> waiting(template) == 0);
            awaitShipments(template, "a", "b", "c");
            assertThat(context).doesNotHaveBean(CopyLifecycle.class);
        });
    }

    static int waiting(JdbcTemplate template) {
        Integer count = template.queryForObject("SELECT count(*) FROM exactly_once_messages", Integer.class);
        return count == null ? 0 : count;
    }

    @Test
    void pushIsPartOfTheTransactionOfTheApplication() {
        application
                .withBean(Shipping.class)
                .withPropertyValues("exactly-once.copies.enabled=false")
                .run(context -> {
                    MessagePusher pusher = context.getBean(MessagePusher.class);
                    TransactionTemplate transaction =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    transaction.executeWithoutResult(status -> {
                        pusher.push("orders", "rolled back");
                        status.setRollbackOnly();
                    });
                    JdbcTemplate template = context.getBean(JdbcTemplate.class);
                    assertThat(waiting(template)).isZero();
                    transaction.executeWithoutResult(status -> pusher.push("orders", "committed"));
                    assertThat(waiting(template)).isOne();
                });
    }

    @Test
    void pushWithinTransactionOfAnotherDatabaseIsRefused() {
        application.withBean(Shipping.class).run(context -> {
            JdbcConnectionPool other = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
            TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(other));
            MessagePusher pusher = context.getBean(MessagePusher.class);
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> pusher.push("orders", "a")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not of the database of exactly-once messages");
            other.dispose();
        });
    }

    @Test
    void firstPushInTransactionNeedsNoSecondConnectionIfTheTableExists() {
        application
                .withBean(Shipping.class)
                .withPropertyValues("exactly-once.copies.enabled=false")
                .run(context -> {
                    JdbcConnectionPool pool = context.getBean(JdbcConnectionPool.class);
                    JdbcMessageTable.createTable(pool, MessageTableSettings.defaults());
                    pool.setMaxConnections(1);
                    pool.setLoginTimeout(1);
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status ->
                                    context.getBean(MessagePusher.class).push("orders", "a"));
                    assertThat(waiting(context.getBean(JdbcTemplate.class))).isOne();
                });
    }

    @Test
    void messagesOfKeyArePushedToItsLane() {
        application
                .withBean(Shipping.class)
                .withPropertyValues("exactly-once.copies.enabled=false")
                .run(context -> {
                    MessagePusher pusher = context.getBean(MessagePusher.class);
                    pusher.push("orders", "of no key");
                    pusher.pushInOrder("orders", "a customer", "first");
                    pusher.pushInOrder("orders", "a customer", "second");
                    assertThat(context.getBean(JdbcTemplate.class)
                                    .queryForList("SELECT lane FROM exactly_once_messages ORDER BY id", Integer.class))
                            .containsExactly(null, Lanes.of("a customer"), Lanes.of("a customer"));
                });
    }

    record Order(String item) {}

    @Configuration(proxyBeanMethods = false)
    static class WithCodec {

        @Bean
        Codec<Order> orders() {
            return new Codec<>() {
                @Override
                public byte[] encode(Order order) {
                    return order.item().getBytes(StandardCharsets.UTF_8);
                }

                @Override
                public Order decode(byte[] bytes) {
                    return new Order(new String(bytes, StandardCharsets.UTF_8));
                }
            };
        }
    }

    /** Spring makes a proxy of it. */
    static class TypedShipping {

        private final JdbcTemplate template;

        TypedShipping(JdbcTemplate template) {
            this.template = template;
        }

        @Transactional
        @ExactlyOnce(queue = "${orders.queue}", maxMessages = 3)
        public void ship(List<Order> orders) {
            orders.forEach(order -> template.update("INSERT INTO shipments VALUES (?)", order.item()));
        }
    }

    @Test
    void transactionalMethodTakesListsOfItsOwnType() {
        application
                .withClassLoader(ExactlyOnceMethodTest.class.getClassLoader()) // in which proxies are defined
                .withPropertyValues("management.health.exactly-once.enabled=false")
                .withUserConfiguration(WithCodec.class)
                .withBean(TypedShipping.class)
                .withPropertyValues("orders.queue=typed")
                .run(context -> {
                    MessagePusher pusher = context.getBean(MessagePusher.class);
                    pusher.pushAll("typed", List.of(new Order("a"), new Order("b")));
                    awaitShipments(context.getBean(JdbcTemplate.class), "a", "b");
                    assertThatThrownBy(() -> pusher.push("typed", "text"))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("is of type java.lang.String, but the method of that queue takes");
                    assertThatThrownBy(() -> pusher.push("elsewhere", 7))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("Codec<Integer>");
                });
    }

    @Test
    void messageThatFailsIsShownByHealthMetersAndEndpoint() {
        application
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(Failing.class)
                .withPropertyValues(
                        "exactly-once.metrics.lag-interval=20ms",
                        "management.endpoints.web.exposure.include=exactlyonce")
                .run(context -> {
                    context.getBean(MessagePusher.class).push("failing", new byte[1]);
                    HealthIndicator health = context.getBean(HealthIndicator.class);
                    await().atMost(SOON)
                            .until(() -> health.health().getDetails().toString().contains("failedMessages=[message 1"));
                    context.getBean(MessagePusher.class).pushAll("failing", List.of(GOOD, GOOD, GOOD));
                    JdbcTemplate template = context.getBean(JdbcTemplate.class);
                    await().atMost(SOON).until(() -> waiting(template) == 1);
                    for (int look = 0; look < 100; look++) {
                        assertThat(health.health().getStatus()).isEqualTo(new Status("WARNING"));
                        assertThat(health.health().getDetails().toString())
                                .contains("failedMessages=[message 1, failed ");
                    }
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("exactly.once.failures")
                                    .tag("kind", "method")
                                    .tag("name", "failing")
                                    .functionCounter()
                                    .count())
                            .isPositive();
                    await().atMost(SOON)
                            .until(() -> context.getBean(MeterRegistry.class)
                                            .get("exactly.once.lag")
                                            .tag("queue", "failing")
                                            .gauge()
                                            .value()
                                    == 1);
                    assertThat(String.valueOf(context.getBean(ExactlyOnceEndpoint.class)
                                    .handlers()
                                    .getBody()))
                            .contains(
                                    "kind=method, name=failing, status=WARNING, lag={failing=1}, details={running=true");
                });
    }

    @Test
    void messageThatFailsAtTheCommitHoldsUpNoOther() {
        application.withBean(Checked.class).run(context -> {
            context.getBean(MessagePusher.class).pushAll("checked", List.of("a", "bad", "c"));
            awaitShipments(context.getBean(JdbcTemplate.class), "a", "c");
        });
    }

    static class Checked {

        private final JdbcTemplate template;

        Checked(JdbcTemplate template) {
            this.template = template;
        }

        /** Afterwards its thread is interrupted, as by a library that restores the flag. */
        @ExactlyOnce(queue = "checked", maxMessages = 3)
        void ship(List<String> orders) {
            orders.forEach(order -> template.update("INSERT INTO shipments VALUES (?)", order));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    if (orders.contains("bad")) {
                        throw new IllegalStateException("refused at the commit");
                    }
                }
            });
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void pushWithoutTransactionIsKeptThoughConnectionsDoNotCommitByThemselves() {
        application
                .withBean(Shipping.class)
                .withBean(WithoutAutoCommit.class)
                .withPropertyValues("exactly-once.copies.enabled=false")
                .run(context -> {
                    context.getBean(MessagePusher.class).pushAll("orders", List.of("a", "b"));
                    assertThat(waiting(context.getBean(JdbcTemplate.class))).isEqualTo(2);
                });
    }

    /** As a pool with {@code auto-commit: false}: what nobody commits is rolled back when the connection is returned. */
    static class WithoutAutoCommit implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof JdbcConnectionPool pool
                    ? new DelegatingDataSource(pool) {
                        @Override
                        public Connection getConnection() throws SQLException {
                            Connection connection = super.getConnection();
                            connection.setAutoCommit(false);
                            return connection;
                        }
                    }
                    : bean;
        }
    }

    @Test
    void pushWithinTransactionOfAnotherDatabaseIsRefusedAfterRead() {
        refusesPushAfterRead(application);
        refusesPushAfterRead(application.withBean(WithoutAutoCommit.class));
    }

    private static void refusesPushAfterRead(ApplicationContextRunner application) {
        application.withBean(Shipping.class).run(context -> {
            JdbcConnectionPool other = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
            TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(other));
            MessagePusher pusher = context.getBean(MessagePusher.class);
            pusher.push("orders", "first");
            JdbcTemplate template = context.getBean(JdbcTemplate.class);
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        shipments(template);
                        pusher.push("orders", "a");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not of the database of exactly-once messages");
            other.dispose();
        });
    }

    static class Failing {

        @ExactlyOnce(queue = "failing")
        void ship(byte[] order) {
            if (!Arrays.equals(order, GOOD)) {
                throw new IllegalStateException("never ships");
            }
        }
    }

    @Test
    void applicationWithoutSuchMethodsNeedsNoDatabase() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ExactlyOnceMethodAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context).hasNotFailed());
    }
}

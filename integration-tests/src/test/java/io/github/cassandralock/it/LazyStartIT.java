package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.cassandra.core.CassandraTemplate;

/**
 * Applications with {@code cassandra-lock.startup: lazy} on a node that is down at their start or later. The tests share one outage,
 * because a node takes half a minute to start: the first ones run during the outage, the others after it. Each of them can run alone.
 * Catches a bean that needs the session at the start, a call that hangs without it, and an application that does not notice that
 * Cassandra is back.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LazyStartIT {

    private static final String KEYSPACE = "lazy";
    private static final String SESSIONS_KEYSPACE = "--spring.cassandra.keyspace-name=" + KEYSPACE;
    private static final Duration SECONDS = Duration.ofSeconds(30);

    /** The driver's own pauses are 1, 2, 4, 8, 16 and 32 seconds: the last one has begun. */
    private static final Duration LONG_OUTAGE = Duration.ofSeconds(35);

    private static final int DURING = 1;
    private static final int AFTER = 2;

    private final LocalCassandra cassandra = LocalCassandra.start(1);
    private final CassandraCluster cluster = CassandraCluster.local(cassandra);
    private final List<Application> startedBefore = new ArrayList<>();
    private final List<Application> startedDuring = new ArrayList<>();
    private long outageBegunAt;

    /** Uses the template when it is created, as a repository does. */
    @Configuration(proxyBeanMethods = false)
    static class WithTemplate {

        @Bean
        String converter(CassandraTemplate template) {
            return template.getConverter().toString();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithSessionOfItsOwn {

        @Bean(defaultCandidate = false)
        @Lazy
        CqlSession lockSession(CqlSessionBuilder builder) {
            return builder.withKeyspace(KEYSPACE).build();
        }
    }

    private Application startLazily(Class<?> configuration, String... arguments) {
        List<String> all = cluster.arguments();
        all.add("--cassandra-lock.startup=lazy");
        all.addAll(List.of(arguments));
        return Application.run(List.of(Application.Configuration.class, configuration), all);
    }

    @BeforeAll
    void beginTheOutage() {
        Application.createKeyspace(cluster, KEYSPACE, 1);
        List<String> arguments = cluster.arguments();
        arguments.add(SESSIONS_KEYSPACE);
        startedBefore.add(Application.run(List.of(Application.Configuration.class), arguments));
        startedBefore.forEach(LazyStartIT::assertWorksSoon);
        cassandra.node(1).kill();
        outageBegunAt = System.nanoTime();
        startedDuring.add(startLazily(WithTemplate.class, SESSIONS_KEYSPACE, "--cassandra-lock.notices.enabled=true"));
        startedDuring.add(startLazily(
                WithSessionOfItsOwn.class,
                "--cassandra-lock.session-bean=lockSession",
                "--spring.application.name=own-session"));
    }

    @AfterAll
    void endAll() {
        startedBefore.forEach(Application::close);
        startedDuring.forEach(Application::close);
        cassandra.close();
    }

    private void endTheOutage() {
        if (!cassandra.node(1).isRunning()) {
            cassandra.node(1).start();
        }
    }

    private static void assertWorksSoon(Application application) {
        await().atMost(SECONDS).untilAsserted(() -> {
            assertThat(LockHealth.of(application).status()).isEqualTo("UP");
            try (RemoteLock lock = application.locker().getLock("k", Duration.ofSeconds(10))) {
                assertThat(lock.reserveFencingToken()).isPositive();
            }
        });
    }

    private static void assertFailsAtOnceWithTheReason(Application application) {
        assertThatThrownBy(() -> application.locker().getLock("k"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(
                        "'k'",
                        "since its start",
                        "Nothing is held",
                        "Cassandra cannot be reached",
                        "Connection refused",
                        "contact-points");
        assertThat(application.locker().tryGetLockAsync("k"))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockStoreException.class);
        LockHealth health = LockHealth.of(application);
        assertThat(health.status()).isEqualTo("DOWN");
        assertThat(health.details()).contains("Cassandra cannot be reached", "Connection refused", "ticket");
    }

    @Test
    @Order(DURING)
    void applicationStartsWithoutCassandraAndFailsWithTheReason() {
        startedDuring.forEach(LazyStartIT::assertFailsAtOnceWithTheReason);
    }

    @Test
    @Order(DURING)
    void applicationThatNeverReachesCassandraEnds() {
        List<Thread> before = starting();
        Application application = startLazily(WithTemplate.class, SESSIONS_KEYSPACE);
        application.close();
        await().atMost(SECONDS).untilAsserted(() -> assertThat(starting()).isSubsetOf(before));
    }

    private static List<Thread> starting() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> List.of("cassandra-lock-connect", "cassandra-lock-start")
                        .contains(thread.getName()))
                .toList();
    }

    /** After such an outage, the driver's own pause is longer than the limit of this test. It is slow for that reason. */
    @Tag("nightly")
    @Test
    @Order(AFTER)
    void healthIsUpWithinSecondsAfterALongOutage() {
        await().atMost(Duration.ofMinutes(1)).until(() -> System.nanoTime() - outageBegunAt >= LONG_OUTAGE.toNanos());
        startedBefore.forEach(
                application -> assertThat(LockHealth.of(application).status()).isEqualTo("DOWN"));
        endTheOutage();
        startedBefore.forEach(application -> await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () -> assertThat(LockHealth.of(application).status()).isEqualTo("UP")));
    }

    @Test
    @Order(AFTER + 1)
    void applicationThatStartedWithoutCassandraWorksWhenItIsThere() {
        endTheOutage();
        startedDuring.forEach(LazyStartIT::assertWorksSoon);
    }

    @Test
    @Order(AFTER + 1)
    void lockCanBeTakenAtOnceIfCassandraIsThereAtTheStart() {
        endTheOutage();
        try (Application application = startLazily(WithTemplate.class, SESSIONS_KEYSPACE)) {
            application.locker().getLock("k").close();
            assertThat(application.context().getBean(String.class)).isNotEmpty();
        }
    }
}

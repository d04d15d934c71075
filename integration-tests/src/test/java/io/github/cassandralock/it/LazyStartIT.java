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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.cassandra.core.CassandraTemplate;

/**
 * Applications with {@code cassandra-lock.startup: lazy} on a node that is down at their start or later. Costs a minute: the
 * node starts several times. Catches a bean that needs the session at the start, a call that hangs without it, and an
 * application that does not notice that Cassandra is back.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LazyStartIT {

    private static final String KEYSPACE = "lazy";
    private static final Duration SECONDS = Duration.ofSeconds(30);

    private final LocalCassandra cassandra = LocalCassandra.start(1);
    private final CassandraCluster cluster = CassandraCluster.local(cassandra);

    LazyStartIT() {
        Application.createKeyspace(cluster, KEYSPACE, 1);
    }

    @AfterAll
    void endTheNode() {
        cassandra.close();
    }

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

    private void whileTheNodeIsDown(Runnable action) {
        cassandra.node(1).kill();
        try {
            action.run();
        } finally {
            cassandra.node(1).start();
        }
    }

    private static void assertWorksSoon(Application application) {
        await().atMost(SECONDS).untilAsserted(() -> {
            assertThat(LockHealth.of(application).status()).isEqualTo("UP");
            try (RemoteLock lock = application.locker().getLock("k", Duration.ofSeconds(10))) {
                assertThat(lock.getFencingToken()).isPositive();
            }
        });
    }

    private static void assertFailsAtOnceWithTheReason(Application application) {
        assertThatThrownBy(() -> application.locker().getLock("k"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(
                        "'k'", "since its start", "Nothing is held", "Cassandra cannot be reached", "contact-points");
        assertThat(application.locker().tryGetLockAsync("k"))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockStoreException.class);
        LockHealth health = LockHealth.of(application);
        assertThat(health.status()).isEqualTo("DOWN");
        assertThat(health.details()).contains("Cassandra cannot be reached", "ticket");
    }

    @Test
    void applicationStartsWithoutCassandraAndWorksWhenItIsThere() {
        List<Application> started = new ArrayList<>();
        try {
            whileTheNodeIsDown(() -> {
                started.add(startLazily(
                        WithTemplate.class,
                        "--spring.cassandra.keyspace-name=" + KEYSPACE,
                        "--cassandra-lock.notices.enabled=true"));
                started.add(startLazily(
                        WithSessionOfItsOwn.class,
                        "--cassandra-lock.session-bean=lockSession",
                        "--spring.application.name=own-session"));
                started.forEach(LazyStartIT::assertFailsAtOnceWithTheReason);
            });
            started.forEach(LazyStartIT::assertWorksSoon);
        } finally {
            started.forEach(Application::close);
        }
    }

    @Test
    void lockCanBeTakenAtOnceIfCassandraIsThereAtTheStart() {
        try (Application application =
                startLazily(WithTemplate.class, "--spring.cassandra.keyspace-name=" + KEYSPACE)) {
            application.locker().getLock("k").close();
            assertThat(application.context().getBean(String.class)).isNotEmpty();
        }
    }

    @Test
    void applicationThatNeverReachesCassandraEnds() {
        whileTheNodeIsDown(() -> {
            Application application = startLazily(WithTemplate.class, "--spring.cassandra.keyspace-name=" + KEYSPACE);
            application.close();
            await().atMost(SECONDS)
                    .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                            .extracting(Thread::getName)
                            .doesNotContain("cassandra-lock-connect", "cassandra-lock-start"));
        });
    }

    /**
     * The outage is longer than the time after which the driver's own pauses are longer than the limit of this test. It is
     * slow for that reason.
     */
    @Test
    void healthIsUpWithinSecondsAfterALongOutage() {
        try (Application application =
                Application.run(List.of(Application.Configuration.class), withKeyspace(cluster.arguments()))) {
            assertWorksSoon(application);
            whileTheNodeIsDown(() -> await().pollDelay(Duration.ofSeconds(40))
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() ->
                            assertThat(LockHealth.of(application).status()).isEqualTo("DOWN")));
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() ->
                            assertThat(LockHealth.of(application).status()).isEqualTo("UP"));
        }
    }

    private static List<String> withKeyspace(List<String> arguments) {
        arguments.add("--spring.cassandra.keyspace-name=" + KEYSPACE);
        return arguments;
    }
}

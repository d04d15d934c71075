package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * What an operator reads at the start about servers whose settings are bad for locks, and what becomes of the locks.
 * Guardrails on timestamps came with Cassandra 5.0: before, a node does not start with them.
 */
@DisabledIf("io.github.cassandralock.testing.clusters.CassandraCluster#isBefore5")
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
@Tag("nightly")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServerSettingsIT {

    private static final String LOGGER = "io.github.cassandralock.internal.cassandra.ServerSettings";

    /** Guardrails apply to ordinary users only, and there are none without authentication. */
    private final LocalCassandra cassandra = LocalCassandra.builder()
            .flushEachWrite(false)
            .config("authenticator", "PasswordAuthenticator")
            .config("authorizer", "CassandraAuthorizer")
            .config("minimum_timestamp_fail_threshold", "1d")
            .config("maximum_timestamp_fail_threshold", "1d")
            .config("page_size_fail_threshold", 5000)
            .start();

    @BeforeAll
    void createUsers() {
        Application.executeAs(
                CassandraCluster.local(cassandra),
                "cassandra",
                "cassandra",
                "CREATE KEYSPACE vault WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                "CREATE ROLE teller WITH PASSWORD = 'till' AND LOGIN = true",
                "GRANT ALL ON KEYSPACE vault TO teller",
                "GRANT SELECT ON KEYSPACE system_views TO teller",
                "CREATE ROLE clerk WITH PASSWORD = 'till' AND LOGIN = true",
                "GRANT ALL ON KEYSPACE vault TO clerk");
    }

    private Application start(String user) {
        List<String> arguments = CassandraCluster.local(cassandra).arguments();
        arguments.addAll(List.of(
                "--spring.cassandra.username=" + user,
                "--spring.cassandra.password=till",
                "--cassandra-lock.keyspace=vault",
                "--cassandra-lock.lease=1h",
                "--logging.level." + LOGGER + "=WARN"));
        return Application.run(List.of(Application.Configuration.class), arguments);
    }

    private static void assertRefused(Application application) {
        assertThatThrownBy(() -> application.locker().getLock("k", Duration.ofMinutes(1)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("'k'", "Nothing is held", "timestamp")
                .satisfies(failure -> assertThat(RefusedRequestException.in(failure))
                        .as("the refusal")
                        .isPresent());
    }

    @AfterAll
    void stop() {
        cassandra.close();
        // the level stays with the JVM, and other tests' nodes sync periodically by intention
        LoggingSystem.get(getClass().getClassLoader()).setLogLevel(LOGGER, LogLevel.ERROR);
    }

    @Test
    void harmfulSettingsAreReportedAtTheStartAndRefusedTimestampsAtOnce(CapturedOutput output) {
        try (Application application = start("teller")) {
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(output.getOut())
                            .containsOnlyOnce("commitlog_sync: periodic")
                            .containsOnlyOnce("minimum_timestamp_fail_threshold: 1d")
                            .containsOnlyOnce("maximum_timestamp_fail_threshold: 1d")
                            .containsOnlyOnce("page_size_fail_threshold: 5000"));
            assertRefused(application);
        }
    }

    @Test
    void settingsThatAreNotMadeAreNotToldOf(CapturedOutput output, CassandraCluster ordinary) {
        try (Application application = Application.start(ordinary, "--logging.level." + LOGGER + "=WARN")) {
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(output.getOut()).contains("commitlog_sync: periodic"));
            application.locker().getLock("k").close();
        }
        assertThat(output.getOut()).doesNotContain("threshold");
    }

    @Test
    void userWhoMayNotReadTheSettingsStartsWithoutAWord(CapturedOutput output) {
        try (Application application = start("clerk")) {
            assertRefused(application);
        }
        assertThat(output.getOut()).doesNotContain("ServerSettings");
    }
}

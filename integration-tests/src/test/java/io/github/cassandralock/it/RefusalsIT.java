package io.github.cassandralock.it;

import static io.github.cassandralock.it.StartFailures.assertStartFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.internal.cassandra.LockSchemaException;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A final refusal of Cassandra fails the call at once: leases are an hour long here, so a repetition would be noticed. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RefusalsIT {

    private static final String KEYSPACE = "guarded";

    /** Above any time that a request takes, and far below the lease, for which what fails is repeated. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LocalCassandra cassandra;
    private final CassandraCluster cluster;

    RefusalsIT() {
        cassandra = LocalCassandra.builder()
                .config("authenticator", "PasswordAuthenticator")
                .config("authorizer", "CassandraAuthorizer")
                .start();
        cluster = CassandraCluster.local(cassandra);
    }

    @BeforeAll
    void createUsers() {
        administer(
                "CREATE KEYSPACE guarded WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                "CREATE ROLE owner WITH PASSWORD = 'o' AND LOGIN = true",
                "GRANT ALL ON KEYSPACE guarded TO owner",
                "CREATE ROLE reader WITH PASSWORD = 'r' AND LOGIN = true",
                "GRANT SELECT ON KEYSPACE guarded TO reader");
    }

    /** They may have been dropped by the test before. */
    @BeforeEach
    void createTables() {
        Application.run(List.of(Application.Configuration.class), arguments("owner", "o"))
                .close();
    }

    @AfterAll
    void stop() {
        cassandra.close();
    }

    private void administer(String... statements) {
        Application.executeAs(cluster, "cassandra", "cassandra", statements);
    }

    private List<String> arguments(String user, String password, String... more) {
        List<String> arguments = cluster.arguments();
        arguments.addAll(List.of(
                "--spring.cassandra.username=" + user,
                "--spring.cassandra.password=" + password,
                "--cassandra-lock.keyspace=" + KEYSPACE));
        arguments.addAll(Arrays.asList(more));
        return arguments;
    }

    private Application start(String user, String password, String... more) {
        return Application.run(List.of(Application.Configuration.class), arguments(user, password, more));
    }

    private static void assertRefused(ThrowingCallable call, String... texts) {
        assertThatThrownBy(call)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(texts)
                .satisfies(failure -> assertThat(RefusedRequestException.in(failure))
                        .as("the refusal")
                        .isPresent());
    }

    @Test
    void userWhoMayNotWriteIsToldAtOnce() {
        try (Application reader =
                start("reader", "r", "--cassandra-lock.schema-action=none", "--cassandra-lock.lease=1h")) {
            String[] texts = {"'safe'", "Nothing is held", "guarded.lock_s", "MODIFY", "GRANT", "reader"};
            assertRefused(() -> reader.locker().getLock("safe", PATIENCE), texts);
            assertRefused(() -> reader.locker().tryGetLock("safe"), texts);
        }
    }

    @Test
    void cellsThatMayNotBeWrittenAreToldAtOnceAsWell() {
        start("owner", "o", "--cassandra-lock.algorithm=queue").close();
        try (Application reader = start(
                "reader",
                "r",
                "--cassandra-lock.schema-action=none",
                "--cassandra-lock.algorithm=queue",
                "--cassandra-lock.lease=1h")) {
            assertRefused(() -> reader.locker().getLock("safe", PATIENCE), "guarded.lock_queue", "MODIFY", "GRANT");
        }
    }

    @Test
    void userWhoMayNotWriteIsToldAtTheStart(CapturedOutput output) {
        assertStartFails(
                arguments("reader", "r", "--cassandra-lock.schema-action=validate"),
                output,
                LockSchemaException.class,
                "may not change the lock tables",
                "reader",
                "GRANT MODIFY ON TABLE guarded.lock_slots",
                "GRANT MODIFY ON TABLE guarded.lock_sessions");
    }

    @Test
    void tableThatIsDroppedIsToldAtOnceAndOnceItIsBackLocksAreTakenAgain() {
        try (Application application = start("owner", "o", "--cassandra-lock.lease=1h")) {
            application.locker().getLock("safe").close();
            administer("DROP TABLE guarded.lock_slots");
            assertRefused(
                    () -> application.locker().getLock("safe", PATIENCE),
                    "'safe'",
                    "Nothing is held",
                    "guarded.lock_slots",
                    "create-if-not-exists");
            createTables();
            application.locker().getLock("safe", PATIENCE).close();
        }
    }

    @Test
    void sessionToCassandraThatIsClosedIsToldAtOnce() {
        try (Application application = start("owner", "o", "--cassandra-lock.lease=1h")) {
            application.session().close();
            assertRefused(() -> application.locker().getLock("safe", PATIENCE), "session to Cassandra is closed");
        }
    }

    @Test
    void wrongPasswordIsExplained(CapturedOutput output) {
        assertStartFails(
                arguments("owner", "wrong"),
                output,
                AllNodesFailedException.class,
                "rejects the login of this application's user",
                "spring.cassandra.password");
    }
}

package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.cassandra.LockSchemaException;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an operator reads when the keyspace or its tables are not fit for locks. */
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SchemaIT {

    private final CassandraCluster cluster;

    SchemaIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    private static String freshKeyspace() {
        return "ks_" + UUID.randomUUID().toString().replace("-", "");
    }

    private static void assertStartFails(
            CassandraCluster on, CapturedOutput output, List<String> settings, String... texts) {
        List<String> arguments = on.arguments();
        arguments.addAll(settings);
        StartFailures.assertStartFails(arguments, output, LockSchemaException.class, texts);
    }

    @Test
    void noKeyspaceIsExplained(CapturedOutput output) {
        assertStartFails(
                cluster, output, List.of(), "No keyspace is configured", "cassandra-lock.keyspace: my_keyspace");
    }

    @Test
    void keyspaceThatDoesNotExistIsExplained(CapturedOutput output) {
        assertStartFails(
                cluster,
                output,
                List.of("--cassandra-lock.keyspace=nowhere"),
                "keyspace nowhere for the lock tables does not exist",
                "CREATE KEYSPACE nowhere");
    }

    @Test
    void tablesOfAnotherShapeAreExplained(CapturedOutput output) {
        String keyspace = freshKeyspace();
        Application.createKeyspace(cluster, keyspace, 1);
        Application.execute(cluster, "CREATE TABLE " + keyspace + ".lock_slots (lock_id text PRIMARY KEY, owner text)");
        assertStartFails(
                cluster,
                output,
                List.of("--cassandra-lock.keyspace=" + keyspace),
                keyspace + ".lock_slots has the columns",
                "keyspace of their own");
    }

    @Test
    void tableOfTheVersionBeforeIsExplained(CapturedOutput output) {
        String keyspace = freshKeyspace();
        Application.createKeyspace(cluster, keyspace, 1);
        Application.execute(
                cluster,
                "CREATE TABLE " + keyspace
                        + ".lock_slots (lock_id text, session uuid, attempt bigint, phase tinyint, mode tinyint, ticket bigint,"
                        + " last_token bigint static, PRIMARY KEY (lock_id, session))"
                        + " WITH gc_grace_seconds = 32400 AND read_repair = 'NONE'");
        assertStartFails(
                cluster,
                output,
                List.of("--cassandra-lock.keyspace=" + keyspace, "--cassandra-lock.schema-action=validate"),
                "its primary key is (lock_id, session), but this version needs (lock_id, session, slot)",
                "DROP TABLE " + keyspace + ".lock_slots");
    }

    @Test
    void tableThatForgetsDeletionsTooSoonForTheLeaseIsExplained(CapturedOutput output) {
        String keyspace = freshKeyspace();
        Application.createKeyspace(cluster, keyspace, 1);
        String algorithm = "--cassandra-lock.algorithm=queue";
        Application.start(cluster, algorithm, "--cassandra-lock.keyspace=" + keyspace, "--cassandra-lock.lease=2s")
                .close();
        assertStartFails(
                cluster,
                output,
                List.of(algorithm, "--cassandra-lock.keyspace=" + keyspace, "--cassandra-lock.lease=1h"),
                "gc_grace_seconds",
                "ALTER TABLE " + keyspace + ".lock_queue WITH gc_grace_seconds = 3601");
    }

    @Test
    void missingTableIsExplainedWhenItMayOnlyBeValidated(CapturedOutput output) {
        String keyspace = freshKeyspace();
        Application.createKeyspace(cluster, keyspace, 1);
        assertStartFails(
                cluster,
                output,
                List.of("--cassandra-lock.keyspace=" + keyspace, "--cassandra-lock.schema-action=validate"),
                "CREATE TABLE IF NOT EXISTS " + keyspace + ".lock_slots");
    }

    @Test
    void replicationThatCannotGiveAQuorumIsExplained(CapturedOutput output) {
        String keyspace = freshKeyspace();
        Application.createKeyspace(cluster, keyspace, 5);
        assertStartFails(
                cluster,
                output,
                List.of("--cassandra-lock.keyspace=" + keyspace),
                "needs 3 of 5 replicas",
                "ALTER KEYSPACE " + keyspace);
    }

    @Test
    void instancesThatStartTogetherAgreeOnTheTables() throws Exception {
        String keyspace = freshKeyspace();
        Application.createKeyspace(cluster, keyspace, 1);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Application> instances = new ArrayList<>();
        // Spring Boot sets up the logging of the whole JVM at each start, which several threads must not do at once.
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        try {
            Callable<Application> start = () -> Application.start(
                    cluster,
                    "--cassandra-lock.keyspace=" + keyspace,
                    "--cassandra-lock.algorithm=migration",
                    "--cassandra-lock.migration.from=shadow",
                    "--cassandra-lock.migration.to=ticket");
            for (Future<Application> instance : threads.invokeAll(Arrays.asList(start, start, start))) {
                instances.add(instance.get());
            }
            try (RemoteLock lock = instances.get(0).locker().getLock("k")) {
                assertThat(instances.get(1).locker().tryGetLock("k")).isEmpty();
                assertThat(instances.get(2).locker().tryGetLock("k")).isEmpty();
            }
        } finally {
            instances.forEach(Application::close);
            threads.shutdownNow();
            System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        }
    }

    @Test
    @Tag("slow")
    void userWithoutTheRightToCreateTablesIsExplained(CapturedOutput output) {
        try (LocalCassandra secured = LocalCassandra.builder()
                .config("authenticator", "PasswordAuthenticator")
                .config("authorizer", "CassandraAuthorizer")
                .start()) {
            CassandraCluster administrators = CassandraCluster.local(secured);
            Application.executeAs(
                    administrators,
                    "cassandra",
                    "cassandra",
                    "CREATE KEYSPACE guarded WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                    "CREATE ROLE teller WITH PASSWORD = 'till' AND LOGIN = true");
            assertStartFails(
                    administrators,
                    output,
                    List.of(
                            "--cassandra-lock.keyspace=guarded",
                            "--spring.cassandra.username=teller",
                            "--spring.cassandra.password=till"),
                    "may not create the table guarded.lock_slots",
                    "GRANT CREATE ON KEYSPACE guarded");
        }
    }
}

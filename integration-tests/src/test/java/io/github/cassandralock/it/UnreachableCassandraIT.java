package io.github.cassandralock.it;

import static io.github.cassandralock.it.StartFailures.assertStartFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.internal.cassandra.LockSchemaException;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an operator reads when the application's session to Cassandra cannot be opened, or reaches no node. */
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class UnreachableCassandraIT {

    private final CassandraCluster cluster;

    UnreachableCassandraIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    private static String contactPoints(CassandraCluster cluster) {
        return "--spring.cassandra.contact-points=" + cluster.contactPoints();
    }

    @Test
    void keyspaceOfTheSessionThatDoesNotExistIsExplained(CapturedOutput output) {
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=nowhere");
        assertStartFails(
                arguments,
                output,
                InvalidKeyspaceException.class,
                "Invalid keyspace nowhere",
                "CREATE KEYSPACE nowhere WITH replication",
                "spring.cassandra.keyspace-name");
    }

    @Test
    void clusterThatIsDownIsExplained(CapturedOutput output) throws IOException {
        String nowhere = "127.0.0.1:" + portWithoutAListener();
        assertStartFails(
                List.of(
                        "--spring.cassandra.contact-points=" + nowhere,
                        "--spring.cassandra.local-datacenter=datacenter1",
                        "--spring.cassandra.keyspace-name=locks"),
                output,
                AllNodesFailedException.class,
                "Cassandra cannot be reached: " + nowhere + " (Connection refused).",
                "spring.cassandra.contact-points");
    }

    @Test
    void contactPointsWhoseNamesAreUnknownAreExplained(CapturedOutput output) {
        assertStartFails(
                List.of(
                        "--spring.cassandra.contact-points=nowhere.invalid,elsewhere.invalid:9999",
                        "--spring.cassandra.local-datacenter=datacenter1",
                        "--spring.cassandra.keyspace-name=locks"),
                output,
                AllNodesFailedException.class,
                "Cassandra cannot be reached: nowhere.invalid:9042 (unknown host); elsewhere.invalid:9999 (unknown host).",
                "spring.cassandra.contact-points");
    }

    @Test
    void nodeThatDoesNotAnswerIsExplained(CapturedOutput output) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String contactPoint = "127.0.0.1:" + silent.getLocalPort();
            assertStartFails(
                    List.of(
                            "--spring.cassandra.contact-points=" + contactPoint,
                            "--spring.cassandra.local-datacenter=datacenter1",
                            "--spring.cassandra.keyspace-name=locks",
                            "--spring.cassandra.connection.init-query-timeout=1s"),
                    output,
                    AllNodesFailedException.class,
                    "Cassandra cannot be reached: " + contactPoint + " (Protocol initialization request",
                    "timed out after 1000 ms).");
        }
    }

    @Test
    void lazyApplicationNamesWhatIsConfiguredAndWhatTheSystemSays(CapturedOutput output) throws IOException {
        String refused = "127.0.0.1:" + portWithoutAListener();
        String reason = "Cassandra cannot be reached: " + refused
                + " (Connection refused); nowhere.invalid:9042 (unknown host).";
        try (Application application = Application.run(
                List.of(Application.Configuration.class),
                List.of(
                        "--spring.cassandra.contact-points=" + refused + ",nowhere.invalid",
                        "--spring.cassandra.local-datacenter=datacenter1",
                        "--spring.cassandra.keyspace-name=locks",
                        "--cassandra-lock.reconnection.max-delay=100ms",
                        "--cassandra-lock.startup=lazy"))) {
            assertThatThrownBy(() -> application.locker().getLock("k"))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining(reason);
            assertThat(LockHealth.of(application).details()).contains(reason);
            await().atMost(Duration.ofSeconds(30)).until(() -> output.getAll().contains(reason));
        }
        assertThat(output.getAll())
                .containsOnlyOnce("The session to Cassandra could not be started")
                .doesNotContain(
                        "StacklessClosedChannelException", "9042 (Connection refused)", "Error connecting to Node");
    }

    private static int portWithoutAListener() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void dataCentreThatTheClusterDoesNotHaveIsExplained(CapturedOutput output) {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        assertStartFails(
                List.of(
                        contactPoints(cluster),
                        "--spring.cassandra.local-datacenter=elsewhere",
                        "--spring.cassandra.keyspace-name=" + Application.KEYSPACE),
                output,
                LockSchemaException.class,
                "none is in the local data centre that is configured",
                "The cluster's data centre(s): " + cluster.localDatacenter(),
                "spring.cassandra.local-datacenter");
    }

    @Test
    void dataCentreThatIsWrongIsExplainedAlsoWhereTheTablesAreNotLookedAt(CapturedOutput output) {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        assertStartFails(
                List.of(
                        contactPoints(cluster),
                        "--spring.cassandra.local-datacenter=elsewhere",
                        "--spring.cassandra.keyspace-name=" + Application.KEYSPACE,
                        "--cassandra-lock.schema-action=none"),
                output,
                AllNodesFailedException.class,
                "connected to no node in the local data centre 'elsewhere'",
                "spring.cassandra.local-datacenter");
    }

    @Test
    void dataCentreThatIsNotConfiguredIsExplained(CapturedOutput output) {
        assertStartFails(
                List.of(contactPoints(cluster)),
                output,
                IllegalStateException.class,
                "not the data centre in which this application runs",
                "spring.cassandra.local-datacenter");
    }

    @Test
    void tablesThatAreMissingAreExplainedWhereTheyAreNotLookedAt(CapturedOutput output) {
        Application.createKeyspace(cluster, "without_tables", 1);
        List<String> arguments = cluster.arguments();
        arguments.add("--cassandra-lock.keyspace=without_tables");
        arguments.add("--cassandra-lock.schema-action=none");
        assertStartFails(
                arguments,
                output,
                LockSchemaException.class,
                "refuses a statement on the table without_tables.lock_sessions",
                "cassandra-lock.schema-action: validate");
    }
}

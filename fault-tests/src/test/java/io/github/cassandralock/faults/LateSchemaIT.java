package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.sun.tools.attach.VirtualMachine;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.local.LocalNode;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.cassandra.DriverConfigLoaderBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A node learns late of the lock tables. */
@Tag("slow")
@Tag("nightly")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LateSchemaIT {

    private static final String KEYSPACE = "late";
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** A start that waits for no node takes less, even if the driver asks the nodes for ten seconds whether they agree. */
    private static final Duration FOR_A_WHILE = Duration.ofSeconds(20);

    /** So that it is not the driver that waits, which asks one node only what all of them know. */
    @Configuration(proxyBeanMethods = false)
    static class HastyDriver {

        @Bean
        DriverConfigLoaderBuilderCustomizer noWaitForAgreement() {
            return config ->
                    config.withDuration(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT, Duration.ZERO);
        }
    }

    @Test
    void instanceIsThereOnlyWhenEveryNodeCanBeAskedForLocks() throws Exception {
        ExecutorService starter = Executors.newSingleThreadExecutor(task -> new Thread(task, "starter"));
        try (LocalCassandra cassandra = LocalCassandra.start(3);
                CqlSession session = CqlSession.builder()
                        .addContactPoints(cassandra.contactPoints())
                        .withLocalDatacenter(cassandra.localDatacenter())
                        .build()) {
            CassandraCluster cluster = CassandraCluster.local(cassandra);
            Application.createKeyspace(cluster, KEYSPACE, 3);
            LocalNode late = nodeThatCreatesNoTables(cassandra, session);
            gossip(late, "stopGossiping");
            Future<Instances> starting =
                    starter.submit(() -> Instances.start(1, cluster, KEYSPACE, List.of(HastyDriver.class)));
            if (!isThereWithin(FOR_A_WHILE, starting)) {
                gossip(late, "startGossiping");
            }
            try (Instances instances = starting.get(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                for (Node node : session.getMetadata().getNodes().values()) {
                    session.execute(thatMatchesNoRow("lock_slots", "lock_id").setNode(node));
                    session.execute(thatMatchesNoRow("lock_sessions", "session").setNode(node));
                }
                try (RemoteLock lock = instances.get(0).locker().getLock("first")) {
                    assertThat(lock.isHeld()).isTrue();
                }
            }
        } finally {
            starter.shutdownNow();
        }
    }

    /** Instances create tables through the node whose host id is the lowest, and that one tells the others even now. */
    private static LocalNode nodeThatCreatesNoTables(LocalCassandra cassandra, CqlSession session) {
        Node highest = session.getMetadata().getNodes().values().stream()
                .max(Comparator.comparing(Node::getHostId))
                .orElseThrow();
        return cassandra.nodes().stream()
                .filter(node -> node.address().equals(highest.getEndPoint().resolve()))
                .findFirst()
                .orElseThrow();
    }

    /** It may be, if the tables reach a node that does not gossip, as they do now and then. */
    private static boolean isThereWithin(Duration time, Future<Instances> starting) throws Exception {
        try {
            starting.get(time.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Fails at a node that does not know the table. */
    private static SimpleStatement thatMatchesNoRow(String table, String key) {
        return SimpleStatement.newInstance("SELECT * FROM " + KEYSPACE + "." + table + " WHERE " + key + " IN ()");
    }

    /** What {@code nodetool} does. */
    @SuppressWarnings("BanJNDI") // it is this test's own node that answers
    private static void gossip(LocalNode node, String operation) throws Exception {
        VirtualMachine jvm = VirtualMachine.attach(Long.toString(node.pid()));
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()))) {
            connector
                    .getMBeanServerConnection()
                    .invoke(
                            new ObjectName("org.apache.cassandra.db:type=StorageService"),
                            operation,
                            new Object[0],
                            new String[0]);
        } finally {
            jvm.detach();
        }
    }
}

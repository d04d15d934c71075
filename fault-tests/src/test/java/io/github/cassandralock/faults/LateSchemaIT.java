package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.sun.tools.attach.VirtualMachine;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.it.Application;
import io.github.cassandralock.it.CassandraCluster;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.local.LocalNode;
import java.time.Duration;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.cassandra.DriverConfigLoaderBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A node learns late of the lock tables. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LateSchemaIT {

    private static final String KEYSPACE = "late";
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Most starts take no longer from the first table on, and those of this test must. */
    private static final Duration FOR_A_WHILE = Duration.ofSeconds(5);

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
        try (LocalCassandra cassandra = LocalCassandra.start(3)) {
            CassandraCluster cluster = CassandraCluster.local(cassandra);
            Application.createKeyspace(cluster, KEYSPACE, 3);
            gossip(cassandra.node(3), "stopGossiping");
            Future<Instances> starting =
                    starter.submit(() -> Instances.start(1, cluster, KEYSPACE, List.of(HastyDriver.class)));
            awaitFirstTable(cassandra.node(1), cassandra.localDatacenter());
            assertThatThrownBy(() -> starting.get(FOR_A_WHILE.toSeconds(), TimeUnit.SECONDS))
                    .as("the start, while a node that does not gossip cannot know the tables")
                    .isInstanceOf(TimeoutException.class);
            gossip(cassandra.node(3), "startGossiping");
            try (Instances instances = starting.get(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                for (int i = 0; i < 9; i++) {
                    try (RemoteLock lock = instances.get(0).locker().getLock("first")) {
                        assertThat(lock.isHeld()).isTrue();
                    }
                }
            }
        } finally {
            starter.shutdownNow();
        }
    }

    private static void awaitFirstTable(LocalNode node, String datacenter) {
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(node.address())
                .withLocalDatacenter(datacenter)
                .build()) {
            await("the first table at " + node)
                    .atMost(BOUND)
                    .until(() -> session.execute(
                                            "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?",
                                            KEYSPACE)
                                    .one()
                            != null);
        }
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

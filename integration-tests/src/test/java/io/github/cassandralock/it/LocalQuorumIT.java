package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.startup.ExplainedException;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Applications that ask for a quorum of one data centre, with drivers that may ask another one. */
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LocalQuorumIT {

    private static final String[] LOCAL = {
        "--cassandra-lock.consistency=local-quorum", "--cassandra-lock.serial-consistency=local-serial"
    };

    private final CassandraCluster cluster;

    LocalQuorumIT(CassandraCluster cluster) {
        this.cluster = cluster;
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
    }

    private List<String> with(String... more) {
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        arguments.addAll(List.of(LOCAL));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private static void assertTakesLocks(List<String> arguments) {
        try (Application application = Application.run(List.of(Application.Configuration.class), arguments);
                RemoteLock lock = application.locker().getLock("local quorum")) {
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    void failoverToAnotherDataCentreIsRefusedWhateverTheActionOnTheTables(CapturedOutput output) {
        for (String action : List.of("create-if-not-exists", "none")) {
            StartFailures.assertStartFails(
                    with(
                            "--spring.cassandra.config=classpath:failing-over.conf",
                            "--cassandra-lock.schema-action=" + action),
                    output,
                    ExplainedException.class,
                    "max-nodes-per-remote-dc is 2",
                    "another quorum",
                    "cassandra-lock.consistency: quorum");
        }
    }

    @Test
    void failoverInAProfileThatLocksDoNotUseIsAllowed() {
        assertTakesLocks(with("--spring.cassandra.config=classpath:failing-over-in-another-profile.conf"));
    }

    @Test
    void failoverIsAllowedWithAQuorumOfAllDataCentres() {
        List<String> arguments = with("--spring.cassandra.config=classpath:failing-over.conf");
        arguments.removeAll(List.of(LOCAL));
        assertTakesLocks(arguments);
    }

    @Test
    void clusterOfAMajorityIsRefusedInTheSameWay() {
        List<String> arguments = new ArrayList<>(with(
                "--spring.cassandra.config=classpath:failing-over.conf",
                "--cassandra-lock.algorithm=majority",
                "--cassandra-lock.keyspace=" + Application.KEYSPACE));
        for (int number = 0; number < 3; number++) {
            arguments.add("--cassandra-lock.majority.clusters[" + number + "].id=c" + number);
            arguments.add(
                    "--cassandra-lock.majority.clusters[" + number + "].contact-points=" + cluster.contactPoints());
        }
        assertThat(catchThrowable(() -> Application.run(List.of(Application.Configuration.class), arguments)
                        .close()))
                .hasStackTraceContaining(DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC
                                .getPath()
                                .replaceFirst(".*(dc-failover)", "$1")
                        + " is 2");
    }
}

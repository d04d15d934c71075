package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.faults.cluster.Nodes;
import io.github.cassandralock.faults.settings.FaultSettings;
import io.github.cassandralock.local.LocalNode;
import io.github.cassandralock.testing.applications.Application;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a lock that is held while its only replica gets two others. */
@Tag("slow")
@Tag("nightly")
class ReplicationIT {

    private static final String LOCK = "till";

    private static Nodes nodes;

    @BeforeAll
    static void start() throws Exception {
        nodes = Nodes.start(FaultSettings.directory("replicas"), 0);
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    /** Otherwise the runbook would be idle. */
    @Test
    void lockIsHeldTwiceIfReplicasAreAddedWithoutRepair() {
        secondHolder("unrepaired", () -> {}, true);
    }

    @Test
    void lockIsHeldOnceIfReplicasAreAddedAndRepaired() {
        secondHolder(
                "repaired",
                () -> IntStream.rangeClosed(1, Nodes.COUNT).forEach(number -> nodes.repair(number, "repaired")),
                false);
    }

    /** The replica that has the lock is down, and the two others are a quorum. */
    private static void secondHolder(String keyspace, Runnable afterwards, boolean expected) {
        Application.createKeyspace(nodes.cluster(), keyspace, 1);
        try (Application one = start(keyspace);
                Application other = start(keyspace);
                RemoteLock lock = one.locker().getLock(LOCK)) {
            LocalNode replica = nodes.replica(keyspace, TypeCodecs.TEXT.encode(LOCK, ProtocolVersion.DEFAULT));
            nodes.setReplicas(keyspace, 3);
            afterwards.run();
            replica.stop();
            Optional<RemoteLock> second = await("an answer of the two others")
                    .atMost(Duration.ofMinutes(1))
                    .ignoreExceptions()
                    .until(() -> other.locker().tryGetLock(LOCK), answer -> true);
            assertThat(lock.isHeld()).as("the first holder's lock").isTrue();
            assertThat(second.isPresent()).as("whether another has it, too").isEqualTo(expected);
            replica.start();
        }
    }

    private static Application start(String keyspace) {
        List<String> arguments = nodes.cluster().arguments();
        arguments.add("--cassandra-lock.keyspace=" + keyspace);
        arguments.add("--cassandra-lock.lease=2m");
        return Application.run(List.of(Application.Configuration.class), arguments);
    }
}

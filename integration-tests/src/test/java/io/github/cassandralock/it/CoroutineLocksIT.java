package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code withLock} of {@code cassandra-lock-kotlin} in two applications on a real node. Costs ten seconds. Catches two holders, a lock
 * that a cancelled coroutine leaves behind, and a module that the Kotlin of this Spring Boot cannot run.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CoroutineLocksIT {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final CassandraCluster cluster;
    private Application first;
    private Application second;

    CoroutineLocksIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void start() {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        first = application();
        second = application();
    }

    private Application application() {
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        return Application.run(List.of(Application.Configuration.class), arguments);
    }

    @AfterAll
    void stop() {
        second.close();
        first.close();
    }

    @Test
    void coroutinesOfBothApplicationsTakeTurnsOnOneThread() {
        List<Long> tokens = CoroutineLocks.tokensInTurns(List.of(first.locker(), second.locker()), 6, 5);
        assertThat(tokens).hasSize(30).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void cancelledWaiterLeavesTheQueueOfTheOtherApplication() {
        try (RemoteLock held = first.locker().getLock("cancelled")) {
            CoroutineLocks.cancelsAWaiter(second.locker(), held);
        }
        first.locker().getLock("cancelled", BOUND).close();
    }

    @Test
    void lockOfTheOtherApplicationIsNull() {
        try (RemoteLock held = first.locker().getLock("taken")) {
            assertThat(CoroutineLocks.orNull(second.locker(), held.getLockId())).containsOnlyNulls();
        }
        assertThat(CoroutineLocks.orNull(second.locker(), "free")).containsOnly("ran");
    }

    @Test
    void longestHoldCancelsTheBlockAndFreesTheLock() {
        assertThatThrownBy(() -> CoroutineLocks.holdsAtMost(first.locker(), "hangs"))
                .isInstanceOf(LockLostException.class);
        second.locker().getLock("hangs", BOUND).close();
    }

    @Test
    void severalLocksAreTakenFromTheOtherApplication() {
        assertThat(CoroutineLocks.transfer(first.locker(), second::isTaken)).containsExactly(true, true);
        second.locker().getLocks(List.of("from", "to"), BOUND).close();
    }
}

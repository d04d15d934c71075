package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.applications.SentStatements;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An administrator drops the tables while an application runs. */
@ExtendWith(SharedCassandra.class)
@Tag("slow")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DroppedSchemaIT {

    private static final String KEYSPACE = "dropped";
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** One that spins sends thousands. */
    private static final long MOST_STATEMENTS_IN_A_SECOND = 50;

    private final CassandraCluster cluster;

    DroppedSchemaIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void locksAreLostAndCallsFailWithTheReasonUntilTheTablesAreBack() throws Exception {
        try (Instances instances =
                Instances.start(1, cluster, KEYSPACE, List.of(), "--cassandra-lock.lease=" + LEASE)) {
            Application application = instances.get(0);
            RemoteLocker locker = application.locker();
            RemoteLock held = locker.getLock("held");
            CompletableFuture<RemoteLock> waiter = locker.getLockAsync("held");
            Application.execute(
                    cluster, "DROP TABLE " + KEYSPACE + ".lock_slots", "DROP TABLE " + KEYSPACE + ".lock_sessions");
            await("the loss of the lock").atMost(BOUND).until(() -> !held.isHeld());
            assertThatThrownBy(() -> locker.getLock("wanted", Duration.ofSeconds(20)))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("'wanted'", "lock_s", "Nothing is held");
            assertThatThrownBy(() -> waiter.get(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .as("the one who waited")
                    .hasCauseInstanceOf(LockException.class);
            assertThat(statementsInFiveSeconds(application))
                    .as("statements sent in five seconds without tables")
                    .isLessThan(5 * MOST_STATEMENTS_IN_A_SECOND);
            Instances.start(1, cluster, KEYSPACE, List.of()).close();
            await("a lock, now that the tables are back")
                    .atMost(BOUND)
                    .ignoreExceptionsInstanceOf(LockException.class)
                    .untilAsserted(() ->
                            locker.getLock("wanted", Duration.ofSeconds(20)).close());
        }
    }

    private static long statementsInFiveSeconds(Application application) throws InterruptedException {
        SentStatements sent = SentStatements.of(application);
        long before = sent.count();
        TimeUnit.SECONDS.sleep(5); // what is counted is what happens in a time
        return sent.count() - before;
    }
}

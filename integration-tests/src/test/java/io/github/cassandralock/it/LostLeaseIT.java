package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Cassandra falls silent for longer than a lease. The node is this test's own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("slow")
class LostLeaseIT {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final LocalCassandra cassandra = LocalCassandra.start(1);
    private final Application application =
            Application.start(CassandraCluster.local(cassandra), "--cassandra-lock.lease=" + LEASE);

    @AfterAll
    void stop() {
        application.close();
        cassandra.close();
    }

    @Test
    void lockSaysThatItIsLostWhileCassandraIsSilentAndCanBeTakenAgainAfterwards() {
        RemoteLock lock = application.locker().getLock("silent");
        CompletableFuture<String> told = new CompletableFuture<>();
        lock.onLost(reason -> told.complete("lost"));

        cassandra.node(1).pause();
        try {
            await().atMost(BOUND).until(() -> !lock.isHeld());
            assertThat(told).succeedsWithin(BOUND);
            assertThatThrownBy(lock::ensureHeld)
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("'silent'");
            assertThatThrownBy(() -> application.locker().tryGetLock("another"))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("'another'")
                    .hasCauseInstanceOf(Exception.class);
        } finally {
            cassandra.node(1).resume();
        }

        lock.close();
        await().atMost(BOUND)
                .ignoreException(LockStoreException.class)
                .untilAsserted(() -> application
                        .locker()
                        .getLock("silent", Duration.ofSeconds(20))
                        .close());
    }
}

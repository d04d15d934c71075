package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.it.CassandraCluster;
import io.github.cassandralock.it.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever the application blocks, leases are renewed. */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class BlockedThreadsIT {

    private static final Duration LEASE = Duration.ofSeconds(2);

    /** More than there are threads for callbacks. */
    private static final int BLOCKED = 12;

    private final CassandraCluster cluster;
    private final CountDownLatch unblocked = new CountDownLatch(1);
    private final AtomicInteger blocked = new AtomicInteger();

    BlockedThreadsIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    private void block() {
        blocked.incrementAndGet();
        try {
            unblocked.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void lockIsKeptWhileCallbacksBlockAllThreadsThatTheyCome() {
        try (Instances instances =
                Instances.start(2, cluster, "blocked", List.of(), "--cassandra-lock.lease=" + LEASE)) {
            RemoteLocker locker = instances.get(0).locker();
            RemoteLocker other = instances.get(1).locker();
            try (RemoteLock kept = locker.getLock("kept")) {
                kept.onLost(this::block);
                IntStream.range(0, BLOCKED)
                        .forEach(number ->
                                locker.getLockAsync("blocked-" + number).thenRun(this::block));
                IntStream.range(0, BLOCKED)
                        .forEach(number ->
                                locker.getLock("closed-" + number).closeAsync().thenRun(this::block));
                await("callbacks that block").until(() -> blocked.get() > 0);
                assertKeptForThreeLeases(kept, other);
            } finally {
                unblocked.countDown();
            }
            try (RemoteLock next = other.getLock("kept", Duration.ofSeconds(30))) {
                assertThat(next.isHeld()).isTrue();
            }
        }
    }

    private static void assertKeptForThreeLeases(RemoteLock kept, RemoteLocker other) {
        await("three leases of a lock whose owner's callbacks block")
                .during(LEASE.multipliedBy(3))
                .atMost(LEASE.multipliedBy(4))
                .untilAsserted(() -> {
                    assertThat(kept.isHeld()).as("the lock, for its owner").isTrue();
                    assertThat(other.tryGetLock("kept"))
                            .as("the lock, for another one")
                            .isEmpty();
                });
    }
}

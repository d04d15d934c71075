package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.faults.settings.FaultSettings;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.checkers.HoldCounter;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Much of everything. */
@Tag("slow")
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class LimitsIT {

    private static final String KEYSPACE = "limits";
    private static final int WAITERS = 1_000;
    private static final Duration BOUND = Duration.ofMinutes(5);

    /** Six minutes of 10,000 a minute; in short, half a minute's worth. TicketMemoryTest simulates twenty minutes of it. */
    private static final int LOCK_IDS = FaultSettings.isShort() ? 5_000 : 60_000;

    private static final int AT_A_TIME = 100;
    private static final int MOST_SECONDS_OF_AN_IDLE_SLOT = 300;

    private final Instances instances;

    LimitsIT(CassandraCluster cluster) {
        instances = Instances.start(3, cluster, KEYSPACE, List.of());
    }

    @AfterAll
    void stop() {
        instances.close();
    }

    @Test
    void thousandWaitersForOneLockAllGetItOneAtATime() {
        HoldCounter holds = new HoldCounter();
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        try (RemoteLock first = instances.get(0).locker().getLock("crowded")) {
            for (int waiter = 0; waiter < WAITERS; waiter++) {
                waiters.add(instances
                        .get(waiter)
                        .locker()
                        .getLockAsync(first.getLockId())
                        .thenAccept(lock -> {
                            holds.enter();
                            holds.leave();
                            lock.close();
                        }));
            }
            assertThat(waiters).as("waiters while another one holds the lock").noneMatch(CompletableFuture::isDone);
        }
        assertThat(CompletableFuture.allOf(waiters.toArray(CompletableFuture<?>[]::new)))
                .as("all waiters")
                .succeedsWithin(BOUND);
        assertThat(holds.most()).as("the most that were inside at a time").isEqualTo(1);
    }

    @Test
    void lockIdOfAsManyBytesAsThereMayBeIsOneLockForAll() {
        String lockId = "\uD83D\uDD12".repeat(128); // a padlock takes four of 512 bytes
        RemoteLocker other = instances.get(1).locker();
        try (RemoteLock lock = instances.get(0).locker().getLock(lockId)) {
            assertThat(lock.getLockId()).isEqualTo(lockId);
            assertThat(other.tryGetLock(lockId)).isEmpty();
        }
        assertThat(other.tryGetLock(lockId)).hasValueSatisfying(RemoteLock::close);
    }

    @Test
    void lockIdsThatComeAndGoLeaveNoHeapNoTombstonesAndNoRowsThatStay() throws InterruptedException {
        Application application = instances.get(2);
        useEach(application.locker(), 0, LOCK_IDS / 10);
        long before = usedHeap();
        useEach(application.locker(), LOCK_IDS / 10, LOCK_IDS);
        assertThat(usedHeap() - before)
                .as("bytes left on the heap by %d lock ids", LOCK_IDS)
                .isLessThan(20_000_000);
        for (int id = LOCK_IDS - 100; id < LOCK_IDS; id++) {
            Row slot = application
                    .session()
                    .execute("SELECT TTL(phase) AS life FROM lock_slots WHERE lock_id = ?", "passing-" + id)
                    .one();
            assertThat(slot).isNotNull();
            assertThat(slot.getInt("life"))
                    .as("seconds that the slot of lock %d stays", id)
                    .isBetween(1, MOST_SECONDS_OF_AN_IDLE_SLOT);
        }
        Row tombstones = application
                .session()
                .execute("SELECT max FROM system_views.tombstones_per_read WHERE keyspace_name = '" + KEYSPACE
                        + "' AND table_name = 'lock_slots'")
                .one();
        assertThat(tombstones).isNotNull();
        assertThat(tombstones.getDouble("max"))
                .as("tombstones met by one read; the histogram begins with one")
                .isLessThanOrEqualTo(1);
    }

    private static void useEach(RemoteLocker locker, int from, int to) throws InterruptedException {
        Semaphore free = new Semaphore(AT_A_TIME);
        for (int id = from; id < to; id++) {
            free.acquire();
            locker.getLockAsync("passing-" + id)
                    .thenCompose(RemoteLock::closeAsync)
                    .whenComplete((done, failure) -> free.release());
        }
        assertThat(free.tryAcquire(AT_A_TIME, BOUND.toSeconds(), TimeUnit.SECONDS))
                .as("all done")
                .isTrue();
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 4; round++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}

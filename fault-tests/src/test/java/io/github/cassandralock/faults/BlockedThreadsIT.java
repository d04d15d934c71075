package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Whatever the application blocks, leases are renewed. */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class BlockedThreadsIT {

    private static final Duration LEASE = Duration.ofSeconds(2);

    /** More than there are threads for callbacks. */
    private static final int BLOCKED = 12;

    private final Instances instances;
    private final RemoteLocker locker;
    private final RemoteLocker other;

    BlockedThreadsIT(CassandraCluster cluster) {
        instances = Instances.start(2, cluster, "blocked", List.of(Blocking.class), "--cassandra-lock.lease=" + LEASE);
        locker = instances.get(0).locker();
        other = instances.get(1).locker();
    }

    @AfterAll
    void stop() {
        instances.close();
    }

    /** Holds up every thread that comes, until its end. */
    private static final class Blockade implements AutoCloseable {

        private final Set<Object> reachedBy = ConcurrentHashMap.newKeySet();
        private final CountDownLatch end = new CountDownLatch(1);

        void block(Object who) {
            reachedBy.add(who);
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void awaitAll(Object... who) {
            await("those that are held up").until(() -> reachedBy.containsAll(Set.of(who)));
        }

        @Override
        public void close() {
            end.countDown();
        }
    }

    /** Does not return from what it hears of one lock. */
    private static final class Listener implements LockListener {

        private static final String LOCK = "taken";

        private final Blockade blockade = new Blockade();

        @Override
        public void onRefused(String lockId) {
            if (lockId.equals(LOCK)) {
                blockade.block(this);
            }
        }
    }

    @EnableScheduling
    static class Blocking {

        @Bean
        LockListener listener() {
            return new Listener();
        }
    }

    @Test
    void lockIsKeptWhileCallbacksBlockAllThreadsThatTheyCome() {
        try (Blockade blockade = new Blockade();
                RemoteLock kept = locker.getLock("kept from callbacks")) {
            kept.onLost(reason -> blockade.block("lost"));
            for (int number = 0; number < BLOCKED; number++) {
                locker.getLockAsync("blocked-" + number).thenRun(() -> blockade.block("granted"));
            }
            blockade.awaitAll("granted");
            for (int number = 0; number < BLOCKED; number++) {
                locker.getLock("closed-" + number).closeAsync().thenRun(() -> blockade.block("released"));
            }
            assertKeptForThreeLeases(kept);
        }
        try (RemoteLock next = other.getLock("kept from callbacks", Duration.ofSeconds(30))) {
            assertThat(next.isHeld()).isTrue();
        }
    }

    @Test
    void lockIsKeptWhileAListenerDoesNotReturn() {
        Listener listener = (Listener) instances.get(0).context().getBean(LockListener.class);
        try (Blockade blockade = listener.blockade;
                RemoteLock kept = locker.getLock("kept from a listener");
                RemoteLock taken = other.getLock(Listener.LOCK)) {
            for (int number = 0; number < BLOCKED; number++) {
                locker.tryGetLockAsync(taken.getLockId());
            }
            blockade.awaitAll(listener);
            assertKeptForThreeLeases(kept);
        }
    }

    @Test
    void lockIsKeptWhileTheApplicationBlocksThePoolsThatAllOfItShares() {
        ApplicationContext context = instances.get(0).context();
        List<Executor> pools = List.of(
                ForkJoinPool.commonPool(),
                context.getBean("taskScheduler", ThreadPoolTaskScheduler.class),
                context.getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class));
        try (Blockade blockade = new Blockade();
                RemoteLock kept = locker.getLock("kept from pools")) {
            for (Executor pool : pools) {
                for (int task = 0; task < BLOCKED + ForkJoinPool.getCommonPoolParallelism(); task++) {
                    pool.execute(() -> blockade.block(pool));
                }
            }
            blockade.awaitAll(pools.toArray());
            assertKeptForThreeLeases(kept);
        }
    }

    private void assertKeptForThreeLeases(RemoteLock kept) {
        await("three leases of a lock whose owner blocks threads")
                .during(LEASE.multipliedBy(3))
                .atMost(LEASE.multipliedBy(4))
                .untilAsserted(() -> {
                    assertThat(kept.isHeld()).as("the lock, for its owner").isTrue();
                    assertThat(other.tryGetLock(kept.getLockId()))
                            .as("the lock, for another one")
                            .isEmpty();
                });
    }
}

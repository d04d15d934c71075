package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.it.CassandraCluster;
import io.github.cassandralock.it.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

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

    @EnableScheduling
    static class WithScheduling {}

    @Test
    void lockIsKeptWhileTheApplicationBlocksThePoolsThatAllOfItShares() {
        try (Instances instances = Instances.start(
                2, cluster, "pools", List.of(WithScheduling.class), "--cassandra-lock.lease=" + LEASE)) {
            RemoteLocker other = instances.get(1).locker();
            ApplicationContext context = instances.get(0).context();
            try (RemoteLock kept = instances.get(0).locker().getLock("kept")) {
                List<Executor> pools = List.of(
                        ForkJoinPool.commonPool(),
                        context.getBean("taskScheduler", ThreadPoolTaskScheduler.class),
                        context.getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class));
                Set<Executor> reached = ConcurrentHashMap.newKeySet();
                for (Executor pool : pools) {
                    for (int task = 0; task < BLOCKED + ForkJoinPool.getCommonPoolParallelism(); task++) {
                        pool.execute(() -> {
                            reached.add(pool);
                            block();
                        });
                    }
                }
                await("tasks that block").until(() -> reached.size() == pools.size());
                assertKeptForThreeLeases(kept, other);
            } finally {
                unblocked.countDown();
            }
        }
    }

    private static void assertKeptForThreeLeases(RemoteLock kept, RemoteLocker other) {
        await("three leases of a lock whose owner blocks threads")
                .during(LEASE.multipliedBy(3))
                .atMost(LEASE.multipliedBy(4))
                .untilAsserted(() -> {
                    assertThat(kept.isHeld()).as("the lock, for its owner").isTrue();
                    assertThat(other.tryGetLock("kept"))
                            .as("the lock, for another one")
                            .isEmpty();
                });
    }

    /** A listener that does not return from what it hears. */
    static final class Stuck implements LockListener {

        private final CountDownLatch unblocked = new CountDownLatch(1);
        private final CountDownLatch blocked = new CountDownLatch(1);

        @Override
        public void onRefused(String lockId) {
            blocked.countDown();
            try {
                unblocked.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class WithAStuckListener {

        @Bean
        Stuck stuck() {
            return new Stuck();
        }
    }

    @Test
    void lockIsKeptWhileAListenerDoesNotReturn() {
        try (Instances instances = Instances.start(
                2, cluster, "stuck", List.of(WithAStuckListener.class), "--cassandra-lock.lease=" + LEASE)) {
            RemoteLocker locker = instances.get(0).locker();
            RemoteLocker other = instances.get(1).locker();
            try (RemoteLock kept = locker.getLock("kept");
                    RemoteLock taken = other.getLock("taken")) {
                IntStream.range(0, BLOCKED).forEach(number -> locker.tryGetLockAsync(taken.getLockId()));
                CountDownLatch blocked = instances.get(0).context().getBean(Stuck.class).blocked;
                await("a listener that does not return").until(() -> blocked.getCount() == 0);
                assertKeptForThreeLeases(kept, other);
            } finally {
                instances
                        .all()
                        .forEach(instance -> instance.context()
                                .getBean(Stuck.class)
                                .unblocked
                                .countDown());
            }
        }
    }
}

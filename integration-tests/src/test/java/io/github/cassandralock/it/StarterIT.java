package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.checkers.HoldCounter;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application may expect of the starter, between two instances on a real Cassandra. */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StarterIT {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final CassandraCluster cluster;
    private final List<Application> instances = new ArrayList<>();

    /** A counter that only its lock protects. */
    static class Counter {

        private final HoldCounter holds = new HoldCounter();
        private int value;

        @DistributedLock(key = "'counter:' + #name")
        public void increment(String name) {
            holds.enter();
            assertThat(holds.most()).isEqualTo(1);
            value++;
            holds.leave();
        }

        @DistributedLock(key = "'counter:' + #name", strategy = DistributedLock.Strategy.TRY_GET_LOCK)
        public Optional<Integer> read(String name) {
            return Optional.of(value);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Counter counter() {
            return new Counter();
        }
    }

    StarterIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void startTwoInstances() {
        instances.add(start());
        instances.add(start());
    }

    private Application start() {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        return Application.run(List.of(Application.Configuration.class, Beans.class), arguments);
    }

    @AfterAll
    void stop() {
        instances.forEach(Application::close);
    }

    private RemoteLocker locker(int instance) {
        return instances.get(instance).locker();
    }

    private static String lockId() {
        return "starter:" + UUID.randomUUID();
    }

    @Test
    void annotatedMethodsExcludeOneAnother() throws Exception {
        Counter counter = instances.get(0).context().getBean(Counter.class);
        String name = lockId();
        ConcurrentTasks.runAll(Collections.nCopies(4, () -> {
            for (int round = 0; round < 5; round++) {
                counter.increment(name);
            }
            return null;
        }));
        assertThat(counter.read(name)).contains(20);
        try (RemoteLock other = locker(1).getLock("counter:" + name)) {
            assertThat(counter.read(name)).as("while another instance holds it").isEmpty();
        }
    }

    @Test
    void timeoutEndsTheWaitAndLeavesNothingBehind() {
        String lockId = lockId();
        try (RemoteLock held = locker(0).getLock(lockId)) {
            assertThatThrownBy(() -> locker(1).getLock(lockId, Duration.ofMillis(300)))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining(lockId);
        }
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(locker(1).tryGetLock(lockId))
                        .as("the lock after holder and waiter have gone")
                        .hasValueSatisfying(RemoteLock::close));
    }

    @Test
    void hundredAsynchronousWaitersNeedNoThreadEach() {
        String lockId = lockId();
        RemoteLock held = locker(0).getLock(lockId);
        int before = Thread.activeCount();
        List<CompletableFuture<?>> waiters = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            waiters.add(locker(1).getLockAsync(lockId).thenCompose(RemoteLock::closeAsync));
        }
        assertThat(Thread.activeCount() - before)
                .as("threads for a hundred waiters")
                .isLessThan(20);
        assertThat(waiters).noneMatch(CompletableFuture::isDone);
        held.close();
        assertThat(CompletableFuture.allOf(waiters.toArray(CompletableFuture<?>[]::new)))
                .succeedsWithin(Duration.ofMinutes(2));
    }

    @Test
    void cancelledWaiterLeavesTheQueue() {
        String lockId = lockId();
        RemoteLock held = locker(0).getLock(lockId);
        CompletableFuture<RemoteLock> cancelled = locker(1).getLockAsync(lockId);
        CompletableFuture<RemoteLock> next = locker(1).getLockAsync(lockId);
        cancelled.cancel(false);
        held.close();
        assertThat(next).succeedsWithin(BOUND).satisfies(RemoteLock::close);
    }

    /** The lease is that of {@link ThesisScenarios}: the table, which both share, is made for the lease of whoever comes first. */
    @Test
    void queueRefusesAFencingTokenWithTheNameOfTheAlgorithmThatHasOne() {
        try (Application queue = Application.start(
                        cluster,
                        "--cassandra-lock.algorithm=queue",
                        "--cassandra-lock.lease=" + ThesisScenarios.LEASE);
                RemoteLock lock = queue.locker().getLock(lockId())) {
            assertThatThrownBy(lock::reserveFencingToken)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("ticket");
        }
    }

    @Test
    void lockIdOf512BytesOfEmojiWorks() {
        String lockId = "🔒".repeat(128);
        try (RemoteLock lock = locker(0).getLock(lockId)) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(locker(1).tryGetLock(lockId)).isEmpty();
        }
    }

    @Test
    void closingAnInstanceFreesItsLocksAtOnceAndTellsTheirHolders() {
        String lockId = lockId();
        Application third = start();
        RemoteLock lock = third.locker().getLock(lockId);
        CompletableFuture<String> told = new CompletableFuture<>();
        lock.onLost(reason -> told.complete("lost"));
        third.close();
        assertThat(told).succeedsWithin(BOUND);
        assertThat(lock.isHeld()).isFalse();
        try (RemoteLock next = locker(0).getLock(lockId, Duration.ofSeconds(5))) {
            assertThat(next.isHeld()).isTrue();
        }
    }

    @Test
    void healthIsUpWhileLocksCanBeTakenAndTellsTheAlgorithm() {
        LockHealth health = LockHealth.of(instances.get(0));
        assertThat(health.status()).isEqualTo("UP");
        assertThat(health.details()).contains("algorithm=ticket");
    }

    @Test
    void runsOnTheSpringBootThatTheBuildNames() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.spring-boot.version"));
    }
}

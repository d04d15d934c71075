package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.checkers.HoldCounter;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The four scenarios that the thesis tests (section 6), between two instances of an application, for any algorithm. */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class ThesisScenarios {

    static final Duration LEASE = Duration.ofSeconds(3);

    private final CassandraCluster cluster;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String lockId = "scenario:" + UUID.randomUUID();
    private final List<Application> instances = new ArrayList<>();

    private final List<String> settings;

    /** @param settings those that name the algorithm, in the words of the command line */
    ThesisScenarios(CassandraCluster cluster, String... settings) {
        this.cluster = cluster;
        this.settings = Stream.concat(Stream.of("--cassandra-lock.lease=" + LEASE), Stream.of(settings))
                .toList();
    }

    @BeforeAll
    void startTwoInstances() {
        instances.add(start());
        instances.add(start());
    }

    private Application start() {
        return Application.start(cluster, settings.toArray(String[]::new));
    }

    @AfterAll
    void stop() {
        threads.shutdownNow();
        instances.forEach(Application::close);
    }

    @Test
    void oneKeyIsGivenToOneThreadAtATime() throws Exception {
        HoldCounter holds = new HoldCounter();
        List<Callable<Void>> work = new ArrayList<>();
        for (int thread = 0; thread < 6; thread++) {
            RemoteLocker locker = instances.get(thread % 2).locker();
            work.add(() -> {
                for (int round = 0; round < 10; round++) {
                    try (RemoteLock lock = locker.getLock(lockId)) {
                        holds.enter();
                        lock.ensureHeld();
                        holds.leave();
                    }
                }
                return null;
            });
        }
        ConcurrentTasks.runAll(work);
        assertThat(holds.holds()).isEqualTo(60);
        assertThat(holds.most()).as("threads under the lock at the same time").isEqualTo(1);
    }

    @Test
    void severalKeysAreGivenToSeveralThreadsAtATime() throws Exception {
        int keys = 6;
        CyclicBarrier allHold = new CyclicBarrier(keys);
        List<Callable<Integer>> work = new ArrayList<>();
        for (int key = 0; key < keys; key++) {
            RemoteLocker locker = instances.get(key % 2).locker();
            String own = lockId + ":" + key;
            work.add(() -> {
                try (RemoteLock lock = locker.getLock(own)) {
                    assertThat(lock.isHeld()).isTrue();
                    return allHold.await(1, TimeUnit.MINUTES);
                }
            });
        }
        ConcurrentTasks.runAll(work);
    }

    @Test
    void leaseIsProlongedWhileTheLockIsHeld() {
        String own = lockId + ":prolonged";
        try (RemoteLock lock = instances.get(0).locker().getLock(own)) {
            RemoteLocker other = instances.get(1).locker();
            await().pollInterval(Duration.ofMillis(200))
                    .during(LEASE.multipliedBy(2))
                    .atMost(LEASE.multipliedBy(5))
                    .until(() -> lock.isHeld() && other.tryGetLock(own).isEmpty());
        }
        assertThat(instances.get(1).locker().tryGetLock(own))
                .as("the lock after its release")
                .hasValueSatisfying(RemoteLock::close);
    }

    @Test
    void lockIsFreedWhenTheProcessOfItsHolderIsKilled() throws Exception {
        String own = lockId + ":killed";
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        arguments.addAll(settings);
        CountDownLatch granted = new CountDownLatch(1);
        try (JvmProcess holder = LockHolder.start(own, arguments)) {
            RemoteLocker locker = instances.get(0).locker();
            assertThat(locker.tryGetLock(own))
                    .as("while the other process holds it")
                    .isEmpty();
            Future<?> waiter = threads.submit(() -> {
                try (RemoteLock lock = locker.getLock(own)) {
                    granted.countDown();
                }
            });
            assertThat(granted.getCount()).as("grants while the holder lives").isEqualTo(1);

            holder.kill();

            waiter.get(1, TimeUnit.MINUTES);
            assertThat(granted.getCount()).as("grants still missing").isZero();
        }
    }
}

package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.internal.integration.CassandraLockRegistry;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * The lock registry of Spring Integration, and the election of a leader by it. Costs half a minute; it fails if two instances lead
 * at once, if none does after the leader has died, or if a leader whose lease is lost goes on.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@SuppressWarnings({
    "rawtypes", // the registry has a type parameter in Spring Integration 7, and none in 6.5
    "unchecked", // therefore
    "LockNotBeforeTry" // what happens without is what is tested
})
class LockRegistryIT {

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final CassandraCluster cluster;
    private final Application first;
    private final Application second;

    LockRegistryIT(CassandraCluster cluster) {
        this.cluster = cluster;
        first = Application.start(cluster);
        second = Application.start(cluster);
    }

    @AfterAll
    void stop() {
        first.close();
        second.close();
    }

    private static LockRegistry registry(Application application) {
        return application.context().getBean(LockRegistry.class);
    }

    private static String key() {
        return "key:" + UUID.randomUUID();
    }

    private static boolean isFreeIn(Application application, Object key) {
        return CompletableFuture.supplyAsync(() -> {
                    Lock lock = registry(application).obtain(key);
                    boolean taken = lock.tryLock();
                    if (taken) {
                        lock.unlock();
                    }
                    return taken;
                })
                .join();
    }

    @Test
    void lockExcludesOtherThreadsAndInstancesAndIsReentrant() throws Exception {
        String key = key();
        Lock lock = registry(first).obtain(key);
        lock.lock();
        assertThat(registry(first).obtain(key).tryLock(1, TimeUnit.SECONDS))
                .as("taken again")
                .isTrue();
        lock.unlock();
        assertThat(isFreeIn(first, key)).as("for another thread").isFalse();
        assertThat(isFreeIn(second, key)).as("for another instance").isFalse();
        lock.unlock();
        assertThat(isFreeIn(second, key)).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void codeRunsUnderTheLockAndNotIfItIsTaken() throws Throwable {
        String key = key();
        AtomicBoolean free = new AtomicBoolean(true);
        registry(first).executeLocked(key, () -> free.set(isFreeIn(second, key)));
        assertThat(free).as("free while the code ran").isFalse();
        assertThat(isFreeIn(second, key)).as("free afterwards").isTrue();
        Lock lock = registry(first).obtain(key);
        lock.lock();
        assertThatThrownBy(() -> registry(second).executeLocked(key, Duration.ofMillis(20), () -> free.set(true)))
                .isInstanceOf(TimeoutException.class);
        lock.unlock();
        assertThat(free).as("run while the lock was taken").isFalse();
    }

    @Test
    void keyMustNameTheSameLockEverywhere() {
        UUID key = UUID.randomUUID();
        registry(first).obtain(key).lock();
        assertThat(isFreeIn(second, key.toString())).isFalse();
        registry(first).obtain(key).unlock();
        for (Object other : List.of(new Object(), new BigDecimal("1.0"), 1.0, new AtomicLong(1))) {
            assertThatThrownBy(() -> registry(first).obtain(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(other.getClass().getName(), "cannot be a part of a key");
        }
    }

    @Test
    void renewalSaysWhetherTheThreadHoldsTheLock() {
        String key = key();
        RenewableLockRegistry registry = first.context().getBean(RenewableLockRegistry.class);
        assertThatThrownBy(() -> registry.renewLock(key)).isInstanceOf(IllegalStateException.class);
        Lock lock = registry.obtain(key);
        lock.lock();
        first.context().getBean(ExpirableLockRegistry.class).expireUnusedOlderThan(0);
        registry.renewLock(key);
        ((CassandraLockRegistry) registry).renewLock(key, Duration.ofSeconds(1));
        lock.unlock();
        assertThat(isFreeIn(second, key)).isTrue();
    }

    @Test
    void holderWhoseLeaseIsLostIsToldSo() {
        String key = key();
        Lock lock = registry(first).obtain(key);
        lock.lock();
        loseTheLeaseOf(first);
        assertThat(lock.tryLock()).as("taken again").isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    /** As after the restore of a checkpoint. */
    private static void loseTheLeaseOf(Application application) {
        application.context().getBean(AlgorithmLocker.class).restored();
    }

    private List<String> arguments(String role) {
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        arguments.add("--cassandra-lock.lease=" + LEASE);
        arguments.add("--" + LeaderCandidate.ROLE + "=" + role);
        return arguments;
    }

    private static List<String> events(Application application) {
        return application.context().getBean(LeaderCandidate.Candidate.class).events();
    }

    @Test
    @Tag("slow")
    void anotherInstanceLeadsWhenTheLeaderHasBeenKilled() throws Exception {
        List<String> arguments = arguments("role:" + UUID.randomUUID());
        try (JvmProcess leader = LeaderCandidate.startLeader(arguments);
                Application other = LeaderCandidate.start(arguments)) {
            assertThat(events(other)).as("while there is a leader").isEmpty();
            leader.kill();
            await().atMost(BOUND).untilAsserted(() -> assertThat(events(other)).containsExactly("granted"));
        }
    }

    @Test
    void leaderWhoseLeaseIsLostIsRevokedAndMayBeElectedAgain() {
        try (Application leader = LeaderCandidate.start(arguments("role:" + UUID.randomUUID()))) {
            await().atMost(BOUND).untilAsserted(() -> assertThat(events(leader)).containsExactly("granted"));
            loseTheLeaseOf(leader);
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(events(leader)).containsExactly("granted", "revoked", "granted"));
        }
    }

    @Test
    void anotherInstanceLeadsAtOnceWhenTheLeaderEnds() {
        List<String> arguments = arguments("role:" + UUID.randomUUID());
        try (Application leader = LeaderCandidate.start(arguments);
                Application other = LeaderCandidate.start(arguments)) {
            await().atMost(BOUND).untilAsserted(() -> assertThat(events(leader)).containsExactly("granted"));
            leader.close();
            assertThat(leader.context().isActive()).isFalse();
            await().atMost(BOUND).untilAsserted(() -> assertThat(events(other)).containsExactly("granted"));
        }
    }
}

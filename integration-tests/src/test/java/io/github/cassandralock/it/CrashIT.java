package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A holder in its own process is killed, or paused for longer than its lease, while another process waits. That the lock is free within
 * a lease and a half is tested in simulated time, which a busy machine cannot stretch.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class CrashIT {

    private static final Duration LEASE = Duration.ofSeconds(5);

    /** Many locks are taken one after the other, which takes a part of it. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(15);

    private static final int KEPT = 1_000;

    private final CassandraCluster cluster;
    private final List<String> holdersArguments;
    private final Application application;
    private final String lockId = "crash:" + UUID.randomUUID();

    CrashIT(CassandraCluster cluster) {
        this.cluster = cluster;
        String lease = "--cassandra-lock.lease=" + LEASE;
        application = Application.start(cluster, lease);
        holdersArguments = allArguments(List.of(lease));
    }

    @AfterAll
    void stop() {
        application.close();
    }

    /** Returns when the waiter is in the queue: its slot is TICKETED. */
    private CompletableFuture<RemoteLock> waiting(String own) {
        CompletableFuture<RemoteLock> waiter = application.locker().getLockAsync(own);
        Awaitility.await()
                .until(() ->
                        application
                                .session()
                                .execute("SELECT phase FROM lock_slots WHERE lock_id = ?", own)
                                .all()
                                .stream()
                                .anyMatch(row -> row.getByte("phase") == 2));
        assertThat(waiter).isNotDone();
        return waiter;
    }

    @Test
    void waiterHasTheLockAfterTheHoldersDeath() throws Exception {
        String own = lockId + ":killed";
        try (JvmProcess holder = LockHolder.start(own, holdersArguments)) {
            CompletableFuture<RemoteLock> waiter = waiting(own);
            holder.kill();
            try (RemoteLock lock = waiter.get(1, TimeUnit.MINUTES)) {
                assertThat(lock.isHeld()).isTrue();
            }
        }
    }

    /** Costs half a minute. It fails if others take a kept lock for a free one, or wait for its process for ever. */
    @Test
    @Tag("slow")
    void locksThatADeadProcessKeptAreFreeAfterItsLease() throws Exception {
        List<String> lockIds = LockKeeper.lockIds(lockId + ":kept", KEPT);
        List<String> arguments = keepersArguments();
        try (Application other = Application.start(cluster, arguments.toArray(String[]::new));
                JvmProcess keeper = LockKeeper.start(lockId + ":kept", KEPT, allArguments(arguments))) {
            assertThat(lockIds.stream().filter(this::isTaken))
                    .as("locks that no thread holds, and that the process keeps")
                    .hasSizeGreaterThan(KEPT * 9 / 10);
            long killedAt = System.nanoTime();
            keeper.kill();
            CompletableFuture<?>[] waiters = lockIds.stream()
                    .map(kept -> other.locker().getLockAsync(kept).thenCompose(RemoteLock::closeAsync))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.anyOf(waiters).get(1, TimeUnit.MINUTES);
            assertThat(Duration.ofNanos(System.nanoTime() - killedAt))
                    .as("from the process's death to the first grant: until then its lease might be renewed")
                    .isGreaterThan(LONG_LEASE.dividedBy(2));
            CompletableFuture.allOf(waiters).get(2, TimeUnit.MINUTES);
        }
    }

    /** It has two slots in the queue, and both are evicted. */
    @Test
    @Tag("slow")
    void readerIsNotKeptOutByADeadProcessWhoseConversionWaited() throws Exception {
        String own = lockId + ":converting";
        LockRequest reading = LockRequest.of(own).mode(LockMode.PROTECTED_READ);
        try (RemoteLock lock = application.locker().getLock(reading);
                JvmProcess holder = LockHolder.start(own, LockHolder.Work.CONVERT_TO_EXCLUSIVE, holdersArguments)) {
            Awaitility.await()
                    .until(() ->
                            rows(own).stream().anyMatch(row -> row.getShort("base") >= 0 && row.getByte("phase") == 2));
            holder.kill();
            lock.convert(LockMode.EXCLUSIVE, Duration.ofMinutes(1));
        }
    }

    @Test
    @Tag("slow")
    void waiterHasTheLockOfADeadProcessThatHadConvertedIt() throws Exception {
        String own = lockId + ":converted";
        try (JvmProcess holder = LockHolder.start(own, LockHolder.Work.CONVERT_TO_EXCLUSIVE, holdersArguments)) {
            holder.awaitLine(LockHolder.DONE);
            CompletableFuture<RemoteLock> waiter = application.locker().getLockAsync(own);
            holder.kill();
            try (RemoteLock lock = waiter.get(1, TimeUnit.MINUTES)) {
                assertThat(lock.isHeld()).isTrue();
            }
        }
    }

    @Test
    @Tag("slow")
    void valueOfAProcessThatDiedWhileChangingItIsTheLastStoredAndDoubtful() throws Exception {
        String own = lockId + ":value";
        byte[] stored = "stored".getBytes(StandardCharsets.UTF_8);
        try (RemoteLock lock = application.locker().getLock(own)) {
            lock.writeValue(stored);
        }
        try (JvmProcess holder = LockHolder.start(own, LockHolder.Work.SET_VALUE_TWICE, holdersArguments)) {
            holder.awaitLine(LockHolder.DONE);
            CompletableFuture<RemoteLock> waiter = waiting(own);
            holder.kill();
            try (RemoteLock lock = waiter.get(1, TimeUnit.MINUTES)) {
                assertThat(lock.readValue()).isEqualTo(LockValue.of(stored, true));
            }
            try (RemoteLock lock = application.locker().getLock(own)) {
                assertThat(lock.readValue().isDoubtful())
                        .as("the last holder read it and did not set it")
                        .isTrue();
                lock.writeValue(stored);
            }
            try (RemoteLock lock = application.locker().getLock(own)) {
                assertThat(lock.readValue()).isEqualTo(LockValue.of(stored, false));
            }
        }
    }

    private List<Row> rows(String own) {
        return application
                .session()
                .execute("SELECT phase, base FROM lock_slots WHERE lock_id = ?", own)
                .all();
    }

    private static List<String> keepersArguments() {
        return List.of("--cassandra-lock.lease=" + LONG_LEASE, "--cassandra-lock.notices.enabled=true");
    }

    private List<String> allArguments(List<String> settings) {
        List<String> all = cluster.arguments();
        all.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        all.addAll(settings);
        return all;
    }

    private boolean isTaken(String own) {
        return application.session().execute("SELECT phase FROM lock_slots WHERE lock_id = ?", own).all().stream()
                .anyMatch(row -> row.getByte("phase") != 0);
    }

    @Test
    @Tag("slow")
    void tryGetLockFindsTheLockOfADeadHolderFreeLaterOn() throws Exception {
        String own = lockId + ":tried";
        try (JvmProcess holder = LockHolder.start(own, holdersArguments)) {
            assertThat(application.locker().tryGetLock(own)).isEmpty();
            holder.kill();
            Awaitility.await()
                    .atMost(LEASE.multipliedBy(6))
                    .pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() ->
                            assertThat(application.locker().tryGetLock(own)).hasValueSatisfying(RemoteLock::close));
        }
    }

    @Test
    @Tag("slow")
    void holderThatStoodStillForLongerThanItsLeaseIsToldThatItsLockIsLost() throws Exception {
        String own = lockId + ":paused";
        try (JvmProcess holder = LockHolder.start(own, holdersArguments)) {
            CompletableFuture<RemoteLock> waiter = waiting(own);
            holder.pause();
            try (RemoteLock lock = waiter.get(1, TimeUnit.MINUTES)) {
                holder.resume();
                assertThat(holder.awaitLine(LockHolder.LOST)).endsWith("held: false");
                assertThat(lock.isHeld()).as("the lock of the one who waited").isTrue();
            }
        }
    }
}

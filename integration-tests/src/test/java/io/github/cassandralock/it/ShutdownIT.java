package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.cassandra.ReactiveSession;

/** What becomes of locks when their application stops, or closes, beside others that use the same session. */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ShutdownIT {

    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    private final CassandraCluster cluster;
    private Application other;

    ShutdownIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void startTheOtherInstance() {
        other = Application.start(cluster);
    }

    @AfterAll
    void stopTheOtherInstance() {
        other.close();
    }

    private static String lockId() {
        return "shutdown:" + UUID.randomUUID();
    }

    /** Costs a start of an application. Fails where the session closes before the locks: then they stay taken for a lease. */
    @Test
    void reactiveWebApplicationReleasesItsLocksWhenItCloses() {
        String lockId = lockId();
        try (Application reactive = Application.startReactive(cluster)) {
            assertThat(reactive.context().getBeansOfType(ReactiveSession.class))
                    .as("sessions that share the application's, and close it")
                    .isNotEmpty();
            reactive.locker().getLock(lockId);
        }
        assertThat(other.locker().tryGetLock(lockId))
                .as("the lock, at once after its holder's application has closed")
                .hasValueSatisfying(RemoteLock::close);
    }

    /** Costs three leases of two seconds. Fails where renewals end with what a context stops. */
    @Test
    @Tag("slow")
    void contextThatIsStoppedAndStartedAgainKeepsItsLocks() {
        String lockId = lockId();
        try (Application stopping = Application.start(cluster, "--cassandra-lock.lease=" + SHORT_LEASE)) {
            RemoteLock lock = stopping.locker().getLock(lockId);
            stopping.context().stop();
            assertThatThrownBy(() -> other.locker().getLock(lockId, SHORT_LEASE.multipliedBy(3)))
                    .as("another instance's attempt while the context is stopped")
                    .isInstanceOf(LockTimeoutException.class);
            assertThat(lock.isHeld()).isTrue();
            stopping.context().start();
            lock.ensureHeld();
            lock.close();
        }
    }

    /** Costs six seconds. Fails if a process uses its own lease for the sessions of others. */
    @Test
    @Tag("slow")
    void instanceWithAShortLeaseDoesNotTakeTheLockOfOneWithALongLease() {
        String lockId = lockId();
        try (Application patient = Application.start(cluster, "--cassandra-lock.lease=60s");
                Application hasty = Application.start(cluster, "--cassandra-lock.lease=" + SHORT_LEASE)) {
            RemoteLock lock = patient.locker().getLock(lockId);
            assertThatThrownBy(() -> hasty.locker().getLock(lockId, SHORT_LEASE.multipliedBy(3)))
                    .isInstanceOf(LockTimeoutException.class);
            assertThat(lock.isHeld()).isTrue();
            lock.close();
            assertThat(List.of(hasty, patient))
                    .allSatisfy(instance ->
                            assertThat(instance.locker().tryGetLock(lockId)).hasValueSatisfying(RemoteLock::close));
        }
    }
}

package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * ShedLock's own tests of lock providers, on the one that is configured, and what they leave open. Each test has lock ids of its
 * own. Costs half a minute; it fails if a job of ShedLock runs where its lock does not allow it.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("slow")
class ShedLockIT extends AbstractExtensibleLockProviderIntegrationTest {

    /** Releases are answered by Cassandra after the instant at which a lock is to be free. It is less than a lease. */
    private static final Duration SOON = Duration.ofSeconds(10);

    /** ShedLock's own tests take a few milliseconds. A busy node answers only after them, and the provider returns no lock then. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final CassandraCluster cluster;
    private final Application other;
    private Application application;
    private String prefix = "";

    ShedLockIT(CassandraCluster cluster) {
        this.cluster = cluster;
        other = Application.start(cluster);
        application = other;
    }

    @BeforeEach
    void start() {
        prefix = "shedlock:" + UUID.randomUUID() + ":";
        application = Application.start(cluster, "--cassandra-lock.shedlock.prefix=" + prefix);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @AfterAll
    void stopTheOther() {
        other.close();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return application.context().getBean(ExtensibleLockProvider.class);
    }

    private Optional<RemoteLock> triedByAnotherInstance(String lockName) {
        RemoteLocker locker = other.locker();
        return locker.tryGetLock(prefix + lockName);
    }

    @Override
    protected void assertUnlocked(String lockName) {
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(triedByAnotherInstance(lockName)).hasValueSatisfying(RemoteLock::close));
    }

    @Override
    protected void assertLocked(String lockName) {
        assertThat(triedByAnotherInstance(lockName)).isEmpty();
    }

    @Test
    void extensionOfALostLockIsRefused() {
        SimpleLock lock = getLockProvider().lock(lockConfig(LOCK_NAME1)).orElseThrow();
        application.close();
        assertThat(lock.extend(Duration.ofMinutes(1), Duration.ZERO)).isEmpty();
        assertUnlocked(LOCK_NAME1);
    }

    @Test
    void jobElsewhereWaitsForTheShortestTimeThoughTheFirstInstanceHasEnded() {
        Duration shortest = Duration.ofSeconds(2);
        try (Application next = Application.start(cluster, "--cassandra-lock.shedlock.prefix=" + prefix)) {
            LockProvider provider = next.context().getBean(LockProvider.class);
            LockConfiguration job = lockConfig(LOCK_NAME1, Duration.ofMinutes(1), shortest);
            long begin = System.nanoTime();
            getLockProvider().lock(job).orElseThrow().unlock();
            assertThat(provider.lock(job)).as("at once").isEmpty();
            application.close();
            await().atMost(SOON).until(() -> provider.lock(job).isPresent());
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(shortest);
        }
    }

    private SimpleLock lockPastItsLongestTime() {
        SimpleLock lock = getLockProvider()
                .lock(lockConfig(LOCK_NAME1, SHORT, Duration.ZERO))
                .orElseThrow();
        assertUnlocked(LOCK_NAME1);
        return lock;
    }

    @Override
    @Test
    public void shouldTimeout() {
        SimpleLock late = lockPastItsLongestTime();
        SimpleLock next = getLockProvider().lock(lockConfig(LOCK_NAME1)).orElseThrow();
        late.unlock();
        assertLocked(LOCK_NAME1);
        next.unlock();
        assertUnlocked(LOCK_NAME1);
    }

    @Override
    @Test
    public void shouldNotBeAbleToExtendExpiredLock() {
        SimpleLock late = lockPastItsLongestTime();
        assertThat(late.extend(Duration.ofSeconds(10), Duration.ZERO)).isEmpty();
        assertUnlocked(LOCK_NAME1);
    }
}

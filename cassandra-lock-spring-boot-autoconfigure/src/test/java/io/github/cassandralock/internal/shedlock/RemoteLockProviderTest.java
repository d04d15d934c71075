package io.github.cassandralock.internal.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the locks of jobs request of a locker. */
class RemoteLockProviderTest {

    private static final Duration AT_LEAST = Duration.ofSeconds(1);
    private static final Duration AT_MOST = Duration.ofSeconds(3);

    private final RemoteLock lock = mock(RemoteLock.class);
    private final RemoteLocker locker = mock(RemoteLocker.class);
    private long now;
    private final RemoteLockProvider provider = new RemoteLockProvider(locker, "jobs:", () -> now);

    @BeforeEach
    void grant() {
        when(locker.tryGetLock(any(LockRequest.class))).thenReturn(Optional.of(lock));
        when(lock.isHeld()).thenReturn(true);
    }

    private SimpleLock begunJob() {
        return provider.lock(new LockConfiguration(Instant.now(), "nightly", AT_MOST, AT_LEAST))
                .orElseThrow();
    }

    @Test
    void shortestAndLongestTimeAreThoseOfTheRequest() {
        begunJob();
        verify(locker)
                .tryGetLock(LockRequest.of("jobs:nightly").holdAtLeast(AT_LEAST).holdAtMost(AT_MOST));
    }

    @Test
    void lockThatIsOverBeforeItIsReturnedStartsNoJob() {
        when(locker.tryGetLock(any(LockRequest.class))).thenThrow(new LockLostException("jobs:nightly", "over"));
        assertThat(provider.lock(new LockConfiguration(Instant.now(), "nightly", AT_MOST, AT_LEAST)))
                .isEmpty();
    }

    @Test
    void unlockReleasesTheLock() {
        begunJob().unlock();
        verify(lock).close();
    }

    @Test
    void extensionReplacesTheLongestTime() {
        SimpleLock job = begunJob();
        Duration longer = AT_MOST.multipliedBy(2);
        assertThat(job.extend(longer, Duration.ZERO)).isPresent();
        verify(lock).holdAtMost(longer);
        verify(lock, never()).closeAsync();
    }

    @Test
    void extensionOfALostLockIsRefused() {
        SimpleLock job = begunJob();
        when(lock.isHeld()).thenReturn(false);
        assertThat(job.extend(AT_MOST, Duration.ZERO)).isEmpty();
    }

    @Test
    void extendedLockIsReleasedAfterItsShortestTime() {
        SimpleLock job = begunJob().extend(AT_MOST, Duration.ofMillis(1)).orElseThrow();
        job.unlock();
        verify(lock, never()).close();
        verify(lock, timeout(10_000)).closeAsync();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void providersWithOtherPrefixesAreMade() {
        RemoteLockProviders providers = new RemoteLockProviders(locker, "jobs:");
        assertThat(providers.create()).hasToString("RemoteLockProvider[jobs:]");
        assertThat(providers.create("others:")).hasToString("RemoteLockProvider[others:]");
        assertThatThrownBy(() -> providers.create(null)).hasMessageContaining("is null");
    }
}

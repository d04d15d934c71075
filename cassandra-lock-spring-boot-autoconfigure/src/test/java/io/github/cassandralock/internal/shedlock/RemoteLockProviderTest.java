package io.github.cassandralock.internal.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the locks of jobs end, on timers that end when the test says so. */
class RemoteLockProviderTest {

    private static final Duration AT_MOST = Duration.ofSeconds(3);

    private final RemoteLock lock = mock(RemoteLock.class);
    private final RemoteLocker locker = mock(RemoteLocker.class);
    private final Deque<CompletableFuture<Void>> timers = new ArrayDeque<>();
    private long now;
    private final RemoteLockProvider provider = new RemoteLockProvider(locker, "jobs:", () -> now, delay -> {
        CompletableFuture<Void> timer = new CompletableFuture<>();
        timers.add(timer);
        return timer;
    });

    @BeforeEach
    void grant() {
        when(locker.tryGetLock(any(LockRequest.class))).thenReturn(Optional.of(lock));
        when(lock.isHeld()).thenReturn(true);
        when(lock.getLockId()).thenReturn("jobs:nightly");
    }

    private SimpleLock begunJob() {
        return provider.lock(new LockConfiguration(Instant.now(), "nightly", AT_MOST, Duration.ZERO))
                .orElseThrow();
    }

    @Test
    void lockIsReleasedByTheLocksTimersWhenItsLongestTimeHasPassed() {
        begunJob();
        verify(lock, never()).closeAsync();
        timers.remove().complete(null);
        verify(lock).closeAsync();
    }

    @Test
    void jobThatHasUnlockedLeavesNoTimer() {
        begunJob().unlock();
        verify(lock).close();
        assertThat(timers.remove()).isCancelled();
        verify(lock, never()).closeAsync();
    }

    @Test
    void extensionCountsFromThenAndReplacesTheTimer() {
        SimpleLock job = begunJob();
        now = Duration.ofSeconds(2).toNanos();
        assertThat(job.extend(AT_MOST, Duration.ZERO)).isPresent();
        assertThat(timers.remove()).isCancelled();
        verify(lock, never()).closeAsync();
        timers.remove().complete(null);
        verify(lock).closeAsync();
    }

    @Test
    void extensionAfterTheLongestTimeIsRefused() {
        SimpleLock job = begunJob();
        timers.remove().complete(null);
        assertThat(job.extend(AT_MOST, Duration.ZERO)).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void providersWithOtherPrefixesAreMade() {
        RemoteLockProviders providers = new RemoteLockProviders(locker, "jobs:", Optional.empty());
        providers.close();
        assertThat(providers.create()).hasToString("RemoteLockProvider[jobs:]");
        assertThat(providers.create("others:")).hasToString("RemoteLockProvider[others:]");
        assertThatThrownBy(() -> providers.create(null)).hasMessageContaining("is null");
    }
}

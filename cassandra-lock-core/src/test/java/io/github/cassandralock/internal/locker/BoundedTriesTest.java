package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Obstacle;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code tryGetLock} with a time-out, and {@code executeLocked}: what is returned or thrown, and that nothing stays held. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class BoundedTriesTest {

    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final MultiLockRequest BOTH = MultiLockRequest.of(List.of("a", "b"));

    private final ScheduledTimers timers = new ScheduledTimers();
    private final AlgorithmLocker locker = locker(new SharingAlgorithm());
    private final AlgorithmLocker withoutStore = locker(new FailingAlgorithm());

    private AlgorithmLocker locker(LockAlgorithm algorithm) {
        return new AlgorithmLocker(algorithm, Duration.ofSeconds(15), Ticker.system(), timers, List.of());
    }

    /** No request of this algorithm succeeds. */
    private static final class FailingAlgorithm implements LockAlgorithm {

        @Override
        public String getName() {
            return "failing";
        }

        @Override
        public Attempt acquire(AcquireRequest request) {
            return new Attempt() {
                @Override
                public CompletionStage<Optional<Grant>> getOutcome() {
                    return new CompletableFuture<>();
                }

                @Override
                public void giveUp() {}

                @Override
                public Optional<Obstacle> getObstacle() {
                    return Optional.of(new Obstacle.StoreFails(new IOException("no node answers")));
                }
            };
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            return CompletableFuture.completedFuture(null);
        }
    }

    @AfterEach
    void close() {
        locker.close(Duration.ZERO);
        withoutStore.close(Duration.ZERO);
        timers.close();
    }

    private void assertFree(String lockId) {
        assertThat(locker.tryGetLock(lockId)).hasValueSatisfying(RemoteLock::close);
    }

    private RemoteLock heldElsewhere(String lockId) {
        return locker.getLockAsync(lockId).join();
    }

    @Test
    void lockThatStaysTakenIsEmptyAndLeavesNoCallBehind() {
        try (RemoteLock other = heldElsewhere("a")) {
            assertThat(locker.tryGetLock("a", SHORT)).isEmpty();
            assertThat(locker.tryGetLockAsync("a", SHORT).join()).isEmpty();
            assertThat(locker.waitingCalls()).isZero();
            assertThat(other.isHeld()).isTrue();
        }
        assertFree("a");
    }

    @Test
    void lockThatBecomesFreeInTimeIsReturned() {
        CompletableFuture<Optional<RemoteLock>> waiting;
        try (RemoteLock other = heldElsewhere("a")) {
            waiting = locker.tryGetLockAsync("a", LONG);
            assertThat(waiting).isNotDone();
        }
        waiting.join().orElseThrow().close();
        try (RemoteLock lock = locker.tryGetLock("a", LONG).orElseThrow()) {
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    void severalLocksAreReturnedTogetherOrNone() {
        try (RemoteLock other = heldElsewhere("b")) {
            assertThat(locker.tryGetLocks(BOTH, SHORT)).isEmpty();
            assertThat(locker.tryGetLocksAsync(BOTH, SHORT).join()).isEmpty();
            assertFree("a");
        }
        try (RemoteLocks locks = locker.tryGetLocks(List.of("a", "b"), LONG).orElseThrow()) {
            assertThat(locks.isHeld()).isTrue();
        }
        locker.tryGetLocksAsync(List.of("a", "b"), LONG).join().orElseThrow().close();
    }

    @Test
    void cancelledFutureLeavesTheQueue() {
        try (RemoteLock other = heldElsewhere("b")) {
            locker.tryGetLockAsync("b", LONG).cancel(false);
            locker.tryGetLocksAsync(BOTH, LONG).cancel(false);
            assertThat(locker.waitingCalls()).isZero();
            assertFree("a");
        }
        assertFree("b");
    }

    @Test
    void triesEndWithAnExceptionWhenTheLockerIsClosed() {
        RemoteLock other = heldElsewhere("b");
        List<CompletableFuture<?>> waiting =
                List.of(locker.tryGetLockAsync("b", LONG), locker.tryGetLocksAsync(BOTH, LONG));
        locker.close(Duration.ZERO);
        assertThat(waiting)
                .allSatisfy(call -> assertThat(call)
                        .failsWithin(LONG)
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(IllegalStateException.class));
        assertThat(other.isHeld()).isFalse();
        assertThatThrownBy(() -> locker.tryGetLock("a", SHORT)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void interruptEndsATryAndKeepsTheFlag() {
        try (RemoteLock other = heldElsewhere("a")) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> locker.tryGetLock("a", LONG)).isInstanceOf(LockInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(locker.waitingCalls()).isZero();
            assertThat(other.isHeld()).isTrue();
        }
    }

    @Test
    void storeThatFailsIsNoLockThatIsTaken() {
        assertThatThrownBy(() -> withoutStore.tryGetLock("a", SHORT))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContainingAll("'a'", "no node answers")
                .hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(() -> withoutStore.tryGetLocks(BOTH, SHORT)).isInstanceOf(LockTimeoutException.class);
        for (CompletableFuture<?> call :
                List.of(withoutStore.tryGetLockAsync("a", SHORT), withoutStore.tryGetLocksAsync(BOTH, SHORT))) {
            assertThat(call)
                    .failsWithin(LONG)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(LockTimeoutException.class);
        }
    }

    @Test
    void timeoutOutsideItsBoundsIsRefusedAtOnce() {
        assertThatThrownBy(() -> locker.tryGetLock("a", Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker.tryGetLocksAsync(BOTH, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void workRunsWhileItsLocksAreHeld() throws Exception {
        locker.executeLocked("a", () -> assertThat(locker.heldLocks()).isEqualTo(1));
        locker.executeLocked("a", LONG, () -> assertThat(locker.heldLocks()).isEqualTo(1));
        assertThat(locker.executeLocked("a", locker::heldLocks)).isEqualTo(1);
        assertThat(locker.executeLocked(LockRequest.of("a"), LONG, locker::heldLocks))
                .isEqualTo(1);
        locker.executeLocked(BOTH, () -> assertThat(locker.heldLocks()).isEqualTo(2));
        assertThat(locker.executeLocked(BOTH, LONG, locker::heldLocks)).isEqualTo(2);
        assertThat(locker.heldLocks()).isZero();
    }

    @Test
    void workThatFailsReleasesTheLockAndItsExceptionArrives() {
        IOException failure = new IOException("disk full");
        assertThatThrownBy(() -> locker.executeLocked(BOTH, () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertFree("a");
        assertFree("b");
    }

    @Test
    void workDoesNotRunIfTheLockIsNotGrantedInTime() {
        try (RemoteLock other = heldElsewhere("a")) {
            assertThatThrownBy(() -> locker.executeLocked("a", SHORT, () -> {
                        throw new AssertionError("it runs beside the holder");
                    }))
                    .isInstanceOf(LockTimeoutException.class);
        }
    }

    @Test
    void workThatIsNotOverWhenItReturnsIsRefused() throws Exception {
        CompletableFuture<String> rest = new CompletableFuture<>();
        assertThatThrownBy(() -> locker.executeLocked("a", () -> rest))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("under 'a'")
                .hasMessageContaining("getLockAsync");
        assertThatThrownBy(() -> locker.executeLocked(BOTH, LONG, rest::minimalCompletionStage))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'a', 'b'");
        assertFree("a");
        assertFree("b");
        rest.complete("done");
        assertThat(locker.executeLocked("a", () -> rest)).isSameAs(rest);
    }

    @Test
    void lockThatIsLostDuringTheWorkIsReportedAfterIt() {
        assertThatThrownBy(() -> locker.executeLocked("a", locker::restored))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'a'");
    }
}

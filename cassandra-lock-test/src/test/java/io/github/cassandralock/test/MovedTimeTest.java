package io.github.cassandralock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time of locks in memory, moved by a test. Costs five seconds. Catches timers and deadlines that do not follow. */
@Timeout(20)
class MovedTimeTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final InMemoryRemoteLocker locks = new InMemoryRemoteLocker();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void minimumTimeEndsAndTheNextWaiterGetsTheLock() {
        locks.getLock(LockRequest.of("k").holdAtLeast(MINUTE)).close();
        CompletableFuture<RemoteLock> waiter = locks.getLockAsync("k");
        locks.advance(MINUTE.minusSeconds(10));
        assertThat(locks.isTaken("k")).isTrue();
        assertThat(waiter).isNotDone();
        locks.advance(Duration.ofSeconds(10));
        assertThat(waiter).succeedsWithin(SOON).satisfies(RemoteLock::close);
        assertThat(locks.tryGetLock("k")).isPresent();
    }

    @Test
    void lockIsFreeWhenTheMoveToTheEndOfItsMinimumTimeReturns() {
        for (LockMode mode : List.of(LockMode.EXCLUSIVE, LockMode.PROTECTED_READ)) {
            locks.getLock(LockRequest.of("k").mode(mode).holdAtLeast(MINUTE)).close();
            assertThat(locks.tryGetLock("k")).isEmpty();
            locks.advance(MINUTE);
            assertThat(locks.isTaken("k")).isFalse();
        }
    }

    @Test
    void restOfAMinimumTimePassesByItself() {
        locks.getLock(LockRequest.of("k").holdAtLeast(MINUTE)).close();
        locks.advance(MINUTE.minusMillis(200));
        await().atMost(SOON).until(() -> !locks.isTaken("k"));
    }

    @Test
    void longestTimePasses() {
        RemoteLock lock = locks.getLock(LockRequest.of("k").holdAtMost(MINUTE));
        CompletableFuture<LockLoss> loss = new CompletableFuture<>();
        lock.onLost(loss::complete);
        locks.advance(MINUTE.minusSeconds(10));
        assertThat(lock.isHeld()).isTrue();
        locks.advance(Duration.ofSeconds(10));
        assertThat(lock.isHeld()).isFalse();
        assertThat(loss).succeedsWithin(SOON).extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.HELD_AT_MOST);
    }

    @Test
    void leaseIsRenewedUnlessTheProcessIsPausedForThatLong() {
        RemoteLock first = locks.getLock("first");
        RemoteLock second = locks.getLock("second");
        locks.advance(Duration.ofDays(40));
        locks.pause(InMemoryRemoteLocker.DEFAULT_LEASE.minusSeconds(1));
        assertThat(first.isHeld() && second.isHeld()).isTrue();
        CompletableFuture<LockLoss> loss = new CompletableFuture<>();
        first.onLost(loss::complete);
        locks.pause(InMemoryRemoteLocker.DEFAULT_LEASE);
        assertThat(first.isHeld() || second.isHeld()).isFalse();
        assertThat(loss).succeedsWithin(SOON).extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.LEASE_EXPIRED);
        assertThat(locks.tryGetLock("first")).as("after the pause").isPresent();
    }

    @Test
    void pauseEndsMinimumTimesWithTheLease() {
        try (InMemoryRemoteLocker brief = new InMemoryRemoteLocker(Duration.ofSeconds(2))) {
            brief.getLock(LockRequest.of("k").holdAtLeast(Duration.ofHours(1))).close();
            brief.pause(Duration.ofSeconds(2));
            assertThat(brief.isTaken("k")).isFalse();
        }
    }

    @Test
    void timeOutsOfAsynchronousCallsPass() {
        locks.getLock("k");
        CompletableFuture<RemoteLock> waiter = locks.getLockAsync("k", MINUTE);
        CompletableFuture<Optional<RemoteLock>> trying = locks.tryGetLockAsync("k", MINUTE);
        locks.advance(MINUTE.minusSeconds(10));
        assertThat(waiter).isNotDone();
        locks.advance(Duration.ofSeconds(10));
        assertThat(waiter).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockTimeoutException.class);
        assertThat(trying).succeedsWithin(SOON).isEqualTo(Optional.empty());
    }

    @Test
    void lockPassesFromWaiterToWaiterAtTheTimesAtWhichItIsLost() {
        for (Duration hold : List.of(Duration.ofSeconds(5), MINUTE, Duration.ofDays(20))) {
            LockRequest bounded = LockRequest.of("k").holdAtMost(hold);
            locks.getLock(bounded);
            CompletableFuture<RemoteLock> second = locks.getLockAsync(bounded);
            CompletableFuture<RemoteLock> third = locks.getLockAsync("k", hold.multipliedBy(3));
            locks.advance(hold.multipliedBy(4));
            assertThat(third)
                    .as("the first is lost after %s, and the second after the same time", hold)
                    .succeedsWithin(SOON)
                    .satisfies(lock -> assertThat(lock.isHeld()).isTrue())
                    .satisfies(RemoteLock::close);
            await().atMost(SOON).until(second::isDone);
        }
    }

    @Test
    void callForSeveralLocksCountsItsLongestTimeFromItsLastGrant() {
        LockRequest bounded = LockRequest.of("k").holdAtMost(MINUTE);
        locks.getLock(bounded);
        CompletableFuture<RemoteLocks> second =
                locks.getLocksAsync(MultiLockRequest.of(List.of("k", "l")).holdAtMost(MINUTE));
        CompletableFuture<RemoteLock> third = locks.getLockAsync("k", MINUTE.multipliedBy(3));
        locks.advance(MINUTE.multipliedBy(4));
        assertThat(second).succeedsWithin(SOON);
        assertThat(third)
                .succeedsWithin(SOON)
                .satisfies(lock -> assertThat(lock.isHeld()).isTrue());
    }

    @Test
    void actionThatBlocksDoesNotStopTheTime() {
        CountDownLatch gate = new CountDownLatch(1);
        RemoteLock lock = locks.getLock(LockRequest.of("k").holdAtMost(MINUTE));
        RemoteLock other = locks.getLock("other");
        CompletableFuture<Void> blocked = locks.getLockAsync("other").thenAccept(next -> pass(gate));
        other.close();
        locks.advance(MINUTE);
        assertThat(lock.isHeld()).isFalse();
        gate.countDown();
        assertThat(blocked).succeedsWithin(SOON);
    }

    private static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void waiterTimesOutIfTheLockIsLostLater() {
        LockRequest bounded = LockRequest.of("k").holdAtMost(MINUTE);
        locks.getLock(bounded);
        locks.getLockAsync(bounded);
        CompletableFuture<Optional<RemoteLock>> third =
                locks.tryGetLockAsync("k", MINUTE.multipliedBy(2).minusSeconds(10));
        locks.advance(MINUTE.multipliedBy(4));
        assertThat(third).succeedsWithin(SOON).isEqualTo(Optional.empty());
        assertThat(locks.isTaken("k")).isFalse();
    }

    @Test
    void longestMoveIsQuickAlthoughHeldLocksArePolled() {
        List<RemoteLock> held = Stream.of("a", "b", "c").map(locks::getLock).toList();
        held.forEach(lock -> locks.getLockAsync(lock.getLockId()));
        locks.advance(InMemoryRemoteLocker.MAX_MOVE);
        assertThat(held).allMatch(RemoteLock::isHeld);
    }

    @Test
    void timeMovesOnAfterAReset() {
        locks.advance(MINUTE);
        locks.reset();
        locks.getLock(LockRequest.of("k").holdAtLeast(MINUTE)).close();
        assertThat(locks.isTaken("k")).isTrue();
        locks.advance(MINUTE);
        assertThat(locks.isTaken("k")).isFalse();
    }

    @Test
    @SuppressWarnings("NullAway") // what users pass
    void timesOutOfBoundsAreRefused() {
        for (Duration wrong : new Duration[] {null, Duration.ofNanos(-1), InMemoryRemoteLocker.MAX_MOVE.plusNanos(1)}) {
            assertThatIllegalArgumentException().isThrownBy(() -> locks.advance(wrong));
            assertThatIllegalArgumentException().isThrownBy(() -> locks.pause(wrong));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new InMemoryRemoteLocker(Duration.ZERO));
        locks.advance(Duration.ZERO);
    }
}

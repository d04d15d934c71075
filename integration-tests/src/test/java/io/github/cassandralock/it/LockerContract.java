package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What applications may rely on with one process, whichever locker they have: the same assertions on the real one and on the one
 * for tests. Catches a difference between them, by which an application's test would show what never happens, or hide what does.
 */
abstract class LockerContract {

    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final String lockId = "contract:" + UUID.randomUUID();

    abstract RemoteLocker locker();

    /** Another locker, which the test may close. */
    abstract RemoteLocker another();

    abstract void close(RemoteLocker locker);

    /** Lets the holder of the lock lose it. */
    abstract void lose(String lockId);

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "tab\t", "line\n"})
    void lockIdsThatBreakTheRulesAreRefusedByEveryMethod(String bad) {
        assertThatThrownBy(() -> locker().getLock(bad)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker().getLock(bad, SHORT)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker().tryGetLock(bad)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker().getLockAsync(bad)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker().tryGetLockAsync(bad)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lockIdOfMoreThan512BytesAndTimeOutOfZeroAreRefused() {
        assertThatThrownBy(() -> locker().getLock("é".repeat(257)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("512");
        assertThatThrownBy(() -> locker().getLock(lockId, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(lockId);
    }

    @Test
    void lockIsHeldUntilItIsClosedAndKnowsItsName() {
        RemoteLock lock = locker().getLock(lockId);
        assertThat(lock.getLockId()).isEqualTo(lockId);
        assertThat(lock.isHeld()).isTrue();
        lock.ensureHeld();
        lock.close();
        lock.close();
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::ensureHeld)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(lockId);
    }

    @Test
    void threadThatHoldsTheLockMustNotWaitForItAndIsRefusedByTry() {
        try (RemoteLock lock = locker().getLock(lockId)) {
            assertThatThrownBy(() -> locker().getLock(lockId)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> locker().getLock(lockId, SHORT)).isInstanceOf(IllegalStateException.class);
            assertThat(locker().tryGetLock(lockId)).isEmpty();
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    void tryTakesAFreeLockAndFindsATakenOneTaken() throws Exception {
        Optional<RemoteLock> first = locker().tryGetLock(lockId);
        assertThat(first).isPresent();
        assertThat(locker().tryGetLockAsync(lockId).get()).isEmpty();
        first.get().close();
        await().atMost(BOUND).untilAsserted(() -> {
            Optional<RemoteLock> next = locker().tryGetLockAsync(lockId).get();
            assertThat(next).isPresent();
            next.get().close();
        });
    }

    @Test
    void lockThatIsClosedBeforeItsMinimumTimeStaysTakenUntilThen() {
        long begin = System.nanoTime();
        locker().getLock(LockRequest.of(lockId).holdAtLeast(SHORT.multipliedBy(10)))
                .close();
        assertThat(locker().tryGetLock(lockId)).isEmpty();
        try (RemoteLock next = locker().getLock(lockId, BOUND)) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("until the next holder has it")
                    .isGreaterThanOrEqualTo(SHORT.multipliedBy(10));
            assertThat(next.isHeld()).isTrue();
        }
    }

    @Test
    void waiterGivesUpAfterItsTimeOutAndTheMessageSaysWhy() {
        try (RemoteLock lock = locker().getLockAsync(lockId).join()) {
            assertThatThrownBy(() -> locker().getLock(lockId, SHORT))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContainingAll("'" + lockId + "'", "50 ms", "the queue was left");
            assertThat(locker().getLockAsync(lockId, SHORT))
                    .failsWithin(BOUND)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(LockTimeoutException.class);
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    void waitersGetTheLockInTheirOrder() {
        RemoteLock lock = locker().getLock(lockId);
        BlockingQueue<String> order = new LinkedBlockingQueue<>();
        CompletableFuture<?> first = locker().getLockAsync(lockId).thenCompose(next -> {
            order.add("first");
            return next.closeAsync();
        });
        CompletableFuture<?> second = locker().getLockAsync(lockId).thenCompose(next -> {
            order.add("second");
            return next.closeAsync();
        });
        lock.close();
        assertThat(CompletableFuture.allOf(first, second)).succeedsWithin(BOUND);
        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void cancelledRequestLeavesTheQueue() {
        RemoteLock lock = locker().getLock(lockId);
        CompletableFuture<RemoteLock> cancelled = locker().getLockAsync(lockId);
        CompletableFuture<RemoteLock> next = locker().getLockAsync(lockId);
        cancelled.cancel(false);
        lock.close();
        assertThat(next).succeedsWithin(BOUND).satisfies(RemoteLock::close);
    }

    @Test
    void interruptedWaiterHoldsNothingAndKeepsItsFlag() throws InterruptedException {
        try (RemoteLock lock = locker().getLock(lockId)) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread waiter = new Thread(() -> {
                Thread.currentThread().interrupt();
                try {
                    locker().getLock(lockId);
                } catch (RuntimeException e) {
                    thrown.set(Thread.currentThread().isInterrupted() ? e : new AssertionError("no flag", e));
                }
            });
            waiter.start();
            waiter.join(BOUND.toMillis());
            assertThat(thrown.get()).isInstanceOf(LockInterruptedException.class);
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    void fencingTokensRiseFromHolderToHolder() {
        long last = 0;
        for (int holder = 0; holder < 5; holder++) {
            try (RemoteLock lock = locker().getLock(lockId)) {
                long token = lock.reserveFencingToken();
                assertThat(token).isGreaterThan(last).isEqualTo(lock.reserveFencingToken());
                last = token;
            }
        }
    }

    @Test
    void acquisitionsHaveNamesOfTheirOwn() {
        String first;
        try (RemoteLock lock = locker().getLock(lockId)) {
            first = lock.getThreadId();
        }
        try (RemoteLock lock = locker().getLock(lockId)) {
            assertThat(lock.getThreadId()).isNotEqualTo(first);
        }
    }

    @Test
    void holderIsToldOnceThatSomebodyWaits() {
        CompletableFuture<Void> told = new CompletableFuture<>();
        RemoteLock lock = locker().getLock(lockId);
        lock.onContention(() -> told.complete(null));
        assertThat(told).isNotDone();
        CompletableFuture<RemoteLock> waiter = locker().getLockAsync(lockId);
        assertThat(told).succeedsWithin(BOUND);
        lock.close();
        assertThat(waiter).succeedsWithin(BOUND).satisfies(RemoteLock::close);
    }

    @Test
    void holderThatLosesTheLockIsToldAndAnotherMayHaveIt() {
        RemoteLock lock = locker().getLockAsync(lockId).join();
        CompletableFuture<LockLoss> told = new CompletableFuture<>();
        lock.onLost(told::complete);
        lose(lockId);
        assertThat(told).succeedsWithin(BOUND).asString().isNotBlank();
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::ensureHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'" + lockId + "' was lost: " + told.join());
        assertThatThrownBy(lock::reserveFencingToken).isInstanceOf(LockLostException.class);
        CompletableFuture<LockLoss> atOnce = new CompletableFuture<>();
        lock.onLost(atOnce::complete);
        assertThat(atOnce).isCompletedWithValue(told.join());
        locker().getLock(lockId, BOUND).close();
        lock.close();
    }

    @Test
    void lockOfWorkThatHangsIsLostAndAWaitingThreadGetsIt() {
        RemoteLock hanging = locker().getLock(LockRequest.of(lockId).holdAtMost(SHORT.multipliedBy(10)));
        CompletableFuture<LockLoss> loss = new CompletableFuture<>();
        hanging.onLost(loss::complete);
        CompletableFuture<Boolean> held = CompletableFuture.supplyAsync(() -> {
            try (RemoteLock next = locker().getLock(lockId, BOUND)) {
                return hanging.isHeld();
            }
        });
        assertThat(held).succeedsWithin(BOUND).isEqualTo(false);
        assertThat(loss).succeedsWithin(BOUND).extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.HELD_AT_MOST);
        assertThatThrownBy(hanging::ensureHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContainingAll("'" + lockId + "'", "holdAtMost");
        hanging.close();
    }

    @Test
    void callbackForTheLossDoesNotRunAfterTheRelease() {
        RemoteLock lock = locker().getLock(lockId);
        CompletableFuture<LockLoss> told = new CompletableFuture<>();
        lock.onLost(told::complete);
        lock.close();
        locker().getLock(lockId).close();
        assertThat(told).isNotDone();
    }

    @Test
    void closedLockerRefusesCallsEndsWaitersAndLosesLocks() {
        RemoteLocker closing = another();
        RemoteLock lock = closing.getLock(lockId);
        CompletableFuture<RemoteLock> waiter = closing.getLockAsync(lockId);
        CompletableFuture<LockLoss> told = new CompletableFuture<>();
        lock.onLost(told::complete);
        close(closing);
        assertThat(waiter)
                .failsWithin(BOUND)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("closed");
        assertThat(told).succeedsWithin(BOUND).extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.CLOSED);
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(() -> closing.getLock(lockId))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private List<String> three() {
        return List.of(lockId + ":c", lockId + ":a", lockId + ":b", lockId + ":a");
    }

    @Test
    void severalLocksAreHeldAsOneAndReleasedTogether() throws Exception {
        RemoteLocks locks = locker().getLocks(three());
        assertThat(locks.getLockIds()).containsExactly(lockId + ":a", lockId + ":b", lockId + ":c");
        assertThat(locks.isHeld()).isTrue();
        locks.ensureHeld();
        for (String id : locks.getLockIds()) {
            assertThat(locks.get(id).isHeld()).isTrue();
            assertThat(locker().tryGetLockAsync(id).get()).isEmpty();
        }
        assertThatThrownBy(() -> locks.get(lockId)).isInstanceOf(IllegalArgumentException.class);
        locks.close();
        locks.close();
        assertThat(locks.isHeld()).isFalse();
        assertThatThrownBy(locks::ensureHeld).isInstanceOf(IllegalStateException.class);
        try (RemoteLocks again = locker().getLocks(three(), BOUND)) {
            assertThat(again.isHeld()).isTrue();
        }
    }

    @Test
    void severalLocksAreTriedAllOrNone() throws Exception {
        try (RemoteLock last = locker().getLock(lockId + ":c")) {
            assertThat(locker().tryGetLocks(three())).isEmpty();
            assertThat(locker().tryGetLocksAsync(three()).get()).isEmpty();
            assertFree(lockId + ":a");
            assertThat(last.isHeld()).isTrue();
        }
        await().atMost(BOUND).untilAsserted(() -> {
            Optional<RemoteLocks> locks = locker().tryGetLocksAsync(three()).get();
            assertThat(locks).isPresent();
            locks.get().close();
        });
    }

    @Test
    void callForSeveralLocksThatTimesOutOrIsCancelledHoldsNone() {
        try (RemoteLock last = locker().getLockAsync(lockId + ":c").join()) {
            assertThatThrownBy(() -> locker().getLocks(three(), SHORT))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContainingAll("'" + lockId + ":c'", "50 ms");
            assertThat(locker().tryGetLocks(three(), SHORT)).isEmpty();
            assertThat(locker().tryGetLock(lockId + ":c", SHORT)).isEmpty();
            assertFree(lockId + ":a");
            assertThat(locker().getLocksAsync(three(), SHORT))
                    .failsWithin(BOUND)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(LockTimeoutException.class);
            assertFree(lockId + ":b");
            CompletableFuture<RemoteLocks> waiting = locker().getLocksAsync(three());
            await().atMost(BOUND).until(() -> locker().tryGetLock(lockId + ":a").isEmpty());
            waiting.cancel(false);
            assertFree(lockId + ":a");
            assertThat(last.isHeld()).isTrue();
        }
    }

    @Test
    void callForSeveralLocksThatIsInterruptedHoldsNoneAndKeepsTheFlag() throws InterruptedException {
        try (RemoteLock last = locker().getLock(lockId + ":c")) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread waiter = new Thread(() -> {
                try {
                    locker().getLocks(three());
                } catch (LockInterruptedException e) {
                    thrown.set(Thread.currentThread().isInterrupted() ? e : new AssertionError("no flag", e));
                }
            });
            waiter.start();
            await().atMost(BOUND).until(() -> isTaken(lockId + ":b"));
            waiter.interrupt();
            waiter.join(BOUND.toMillis());
            assertThat(thrown.get()).isInstanceOf(LockInterruptedException.class);
            assertFree(lockId + ":a");
            assertThat(last.isHeld()).isTrue();
        }
    }

    /** The minimum time counts only for locks under which somebody may have worked. */
    @Test
    void locksOfACallThatFailedAreFreeDespiteTheirMinimumTime() {
        MultiLockRequest requests = MultiLockRequest.of(three()).holdAtLeast(Duration.ofHours(1));
        try (RemoteLock last = locker().getLockAsync(lockId + ":c").join()) {
            assertThat(locker().tryGetLocks(requests)).isEmpty();
            assertFree(lockId + ":a");
            assertThat(last.isHeld()).isTrue();
        }
    }

    /** Nobody has worked under the first one. Between two lockers in memory there is nothing to see. */
    @Test
    void lockerThatEndsDuringACallForLocksFreesThoseItHasInTheirMinimumTime() {
        RemoteLocker ending = another();
        RemoteLock last = ending.getLockAsync(lockId + ":c").join();
        CompletableFuture<RemoteLocks> waiting =
                ending.getLocksAsync(MultiLockRequest.of(three()).holdAtLeast(Duration.ofHours(1)));
        await().atMost(BOUND).until(() -> ending.tryGetLock(lockId + ":b").isEmpty());
        close(ending);
        assertThat(waiting).failsWithin(BOUND).withThrowableOfType(ExecutionException.class);
        assertThat(last.isHeld()).isFalse();
        assertFree(lockId + ":a");
    }

    @Test
    void severalLocksAreLostWithOneOfThem() {
        try (RemoteLocks locks = locker().getLocks(three())) {
            BlockingQueue<LockLoss> reasons = new LinkedBlockingQueue<>();
            locks.onLost(reasons::add);
            lose(lockId + ":b");
            assertThat(reasons)
                    .satisfies(told -> await().atMost(BOUND)
                            .untilAsserted(() ->
                                    assertThat(told).singleElement().asString().contains(lockId)));
            assertThat(locks.isHeld()).isFalse();
            assertThatThrownBy(locks::ensureHeld)
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining(lockId + ":");
        }
    }

    @Test
    void callThatLosesALockWhileItWaitsForTheNextOneEndsAtOnce() {
        try (RemoteLock last = locker().getLockAsync(lockId + ":c").join()) {
            CompletableFuture<RemoteLocks> waiting = locker().getLocksAsync(three());
            CompletableFuture<RemoteLocks> blocked = CompletableFuture.supplyAsync(
                    () -> locker().getLocks(List.of(lockId + ":c", lockId + ":0")), task -> new Thread(task).start());
            await().atMost(BOUND).until(() -> isTaken(lockId + ":b") && isTaken(lockId + ":0"));
            lose(lockId + ":a");
            lose(lockId + ":0");
            for (CompletableFuture<RemoteLocks> call : List.of(waiting, blocked)) {
                assertThat(call)
                        .failsWithin(BOUND)
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(LockLostException.class);
            }
            assertFree(lockId + ":b");
            assertThat(last.getLockId()).as("may be lost with the same session").endsWith(":c");
        }
    }

    @Test
    void threadThatHoldsOneOfSeveralLocksMustNotWaitForThem() {
        try (RemoteLock one = locker().getLock(lockId + ":b")) {
            assertThatThrownBy(() -> locker().getLocks(three())).isInstanceOf(IllegalStateException.class);
            assertFree(lockId + ":a");
            assertThat(one.isHeld()).isTrue();
        }
        try (RemoteLocks locks = locker().getLocks(three())) {
            assertThatThrownBy(() -> locker().getLock(lockId + ":b")).isInstanceOf(IllegalStateException.class);
            assertThat(locks.isHeld()).isTrue();
        }
    }

    @Test
    void requestsForSeveralLocksAreRefusedIfTheyAreEmptyOrHaveABadLockId() {
        assertThatThrownBy(() -> locker().getLocks(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("empty");
        assertThatThrownBy(() -> locker().tryGetLocks(List.of(lockId, " ")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker().getLocks(Arrays.asList(lockId, null)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker().getLocks(three(), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertFree(lockId);
    }

    private boolean isTaken(String id) {
        Optional<RemoteLock> lock = locker().tryGetLock(id);
        lock.ifPresent(RemoteLock::close);
        return lock.isEmpty();
    }

    private void assertFree(String id) {
        await("lock " + id + " is free").atMost(BOUND).until(() -> !isTaken(id));
    }
}

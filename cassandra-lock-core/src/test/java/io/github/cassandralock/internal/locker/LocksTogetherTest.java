package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Which locks a call for several requests at the same time, and what becomes of those that were requested too early. Catches a
 * call that waits for a lock while it holds, or waits for, a lock behind it.
 */
class LocksTogetherTest extends ScriptedLockerTest {

    private static final int MOST = 64;
    private static final List<String> THREE = List.of("a", "b", "c");
    private static final List<String> MANY =
            IntStream.range(100, 300).mapToObj(lock -> "lock " + lock).toList();

    private final OnTheCallersThread here = new OnTheCallersThread();
    private final AtomicLong now = new AtomicLong();
    private final AlgorithmLocker together = locker(here);

    private AlgorithmLocker locker(ExecutorService steps) {
        return new AlgorithmLocker(
                algorithm,
                LEASE,
                now::get,
                timers,
                List.of(),
                () -> CallObserver.NONE,
                new CallbackThreads(here, steps, here, here),
                Optional::empty,
                AbandonedPolicy.IGNORE);
    }

    @AfterEach
    void closeTogether() {
        together.close(Duration.ZERO);
    }

    private void requested(String... lockIds) {
        assertThat(algorithm.attempts).extracting(attempt -> attempt.lockId).containsExactly(lockIds);
    }

    private void awaitRequests(int number) {
        await().pollDelay(Duration.ZERO).atMost(BOUND).until(() -> algorithm.attempts.size() == number);
    }

    private ScriptedAttempt granted(int number) {
        ScriptedAttempt attempt = algorithm.attempts.get(number);
        attempt.outcome.complete(Optional.of(attempt.grant));
        return attempt;
    }

    private static void released(ScriptedAttempt... attempts) {
        for (ScriptedAttempt attempt : attempts) {
            assertThat(attempt.grant.isReleased()).as(attempt.lockId).isTrue();
        }
    }

    private static void held(CompletableFuture<RemoteLocks> call) {
        assertThat(call).isCompletedWithValueMatching(RemoteLocks::isHeld, "all are held");
    }

    private static void failsWith(CompletableFuture<RemoteLocks> call, Class<? extends Throwable> failure) {
        assertThat(call)
                .failsWithin(BOUND)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(failure);
    }

    /** The first of three locks is granted, and so is the last one. */
    private void grantFirstAndLast() {
        awaitRequests(1);
        granted(0);
        awaitRequests(3);
        granted(2);
    }

    @Test
    void locksBehindTheFirstAreRequestedAtTheSameTime() {
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(THREE);
        requested("a");
        grantFirstAndLast();
        requested("a", "b", "c");
        assertThat(call).isNotDone();
        granted(1);
        held(call);
        assertThat(call.join().getLockIds()).containsExactly("a", "b", "c");
        requested("a", "b", "c");
    }

    @Test
    void callThatMayWaitForALockReleasesThoseBehindIt() {
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(THREE);
        grantFirstAndLast();
        algorithm.attempts.get(1).wait.complete(null);
        released(algorithm.attempts.get(2));
        assertThat(algorithm.attempts.get(0).grant.isReleased())
                .as("a lock before it")
                .isFalse();
        granted(1);
        requested("a", "b", "c", "c");
        granted(3);
        held(call);
    }

    @Test
    void callThatMayWaitForALockLeavesTheQueuesOfThoseBehindIt() {
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(THREE);
        granted(0);
        algorithm.attempts.get(2).wait.complete(null);
        assertThat(algorithm.attempts.get(2).givenUp)
                .as("while b has to be decided")
                .isFalse();
        algorithm.attempts.get(1).wait.complete(null);
        assertThat(algorithm.attempts.get(2).givenUp).isTrue();
        released(granted(2));
        granted(1);
        granted(3);
        held(call);
    }

    /** The wait of b is reported so late that its lock is taken already. */
    @Test
    void locksBehindALockThatIsTakenAlreadyStay() {
        OnDemand steps = new OnDemand();
        CompletableFuture<RemoteLocks> call = locker(steps).getLocksAsync(THREE);
        granted(0);
        steps.run();
        granted(1);
        algorithm.attempts.get(1).wait.complete(null);
        granted(2);
        steps.run();
        held(call);
        requested("a", "b", "c");
    }

    @Test
    void callThatBlocksItsThreadReleasesTheLocksBehindAWait() {
        CompletableFuture<RemoteLocks> call = CompletableFuture.supplyAsync(() -> together.getLocks(THREE));
        grantFirstAndLast();
        algorithm.attempts.get(1).wait.complete(null);
        released(algorithm.attempts.get(2));
        granted(1);
        awaitRequests(4);
        granted(3);
        assertThat(call).succeedsWithin(BOUND);
        held(call);
    }

    @Test
    void requestsAtATimeGrowWithEachLockUpToABound() {
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(MANY);
        for (int taken = 0; taken < MANY.size(); taken++) {
            assertThat(algorithm.attempts).hasSize(Math.min(taken + Math.min(taken + 1, MOST), MANY.size()));
            granted(taken);
        }
        held(call);
        assertThat(algorithm.attempts).extracting(attempt -> attempt.lockId).containsExactlyElementsOf(MANY);
    }

    @Test
    void fewerRequestsAreInVainThanThereAreLocks() {
        SplittableRandom random = new SplittableRandom(4711);
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(MANY);
        int next = 0;
        for (String lockId : MANY) {
            ScriptedAttempt first = algorithm.attempts.get(next);
            assertThat(first.lockId).isEqualTo(lockId);
            next++;
            if (random.nextInt(10) == 0) {
                first.wait.complete(null);
                next = algorithm.attempts.size();
            }
            first.outcome.complete(Optional.of(first.grant));
        }
        held(call);
        assertThat(algorithm.attempts).hasSizeBetween(MANY.size() + 1, 2 * MANY.size());
    }

    @Test
    void callThatOnlyTriesRequestsOneLockAfterTheOther() {
        CompletableFuture<Optional<RemoteLocks>> call = together.tryGetLocksAsync(THREE);
        granted(0);
        requested("a", "b");
        granted(1);
        requested("a", "b", "c");
        granted(2);
        assertThat(call).isCompletedWithValueMatching(Optional::isPresent, "granted");
    }

    @Test
    void algorithmThatReportsNoWaitsIsAskedForOneLockAtATime() {
        algorithm.whileAsked =
                () -> algorithm.attempts.get(algorithm.attempts.size() - 1).wait.complete(null);
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(THREE);
        granted(0);
        requested("a", "b");
        granted(1);
        requested("a", "b", "c");
        granted(2);
        held(call);
    }

    @Test
    void cancelledCallReleasesWhatItHasAndGivesUpTheRest() {
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(THREE);
        grantFirstAndLast();
        call.cancel(false);
        released(algorithm.attempts.get(0), algorithm.attempts.get(2));
        assertThat(algorithm.attempts.get(1).givenUp).isTrue();
        released(granted(1));
        assertThat(together.heldLocks()).isZero();
        assertThat(together.waitingCalls()).isZero();
    }

    @Test
    void callThatTimesOutReleasesWhatItHasAndNamesTheLockItLacks() {
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(THREE, Duration.ofMillis(300));
        grantFirstAndLast();
        assertThat(call)
                .failsWithin(BOUND)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(LockTimeoutException.class)
                .withMessageContaining("'b'");
        released(algorithm.attempts.get(0), algorithm.attempts.get(2));
        await().atMost(BOUND).until(() -> algorithm.attempts.get(1).givenUp);
    }

    @Test
    void callThatIsInterruptedReleasesWhatItHas() throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                together.getLocks(THREE);
            } catch (LockInterruptedException e) {
                thrown.set(e);
            }
        });
        waiter.start();
        grantFirstAndLast();
        waiter.interrupt();
        waiter.join(BOUND.toMillis());
        assertThat(thrown).doesNotHaveNullValue();
        released(algorithm.attempts.get(0), algorithm.attempts.get(2));
        assertThat(algorithm.attempts.get(1).givenUp).isTrue();
    }

    @Test
    void lockerThatClosesEndsTheCallAndAllItsRequests() {
        CompletableFuture<RemoteLocks> call =
                together.getLocksAsync(MultiLockRequest.of(THREE).holdAtLeast(Duration.ofHours(1)));
        grantFirstAndLast();
        together.close(Duration.ZERO);
        failsWith(call, IllegalStateException.class);
        assertThat(algorithm.attempts.get(1).givenUp).isTrue();
        released(algorithm.attempts.get(0), algorithm.attempts.get(2));
    }

    @Test
    void lockThatIsLostBeforeItsTurnEndsTheCall() {
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(THREE);
        grantFirstAndLast();
        algorithm.attempts.get(2).grant.abandon(new LockLoss(LockLoss.Reason.LEASE_EXPIRED, "of a test"));
        granted(1);
        failsWith(call, LockLostException.class);
        released(algorithm.attempts.get(0), algorithm.attempts.get(1), algorithm.attempts.get(2));
    }

    @Test
    void failureOfALaterLockCountsOnlyInItsTurn() {
        CompletableFuture<RemoteLocks> call = together.getLocksAsync(THREE);
        granted(0);
        algorithm.attempts.get(2).outcome.completeExceptionally(new IllegalArgumentException("of a test"));
        assertThat(call).isNotDone();
        granted(1);
        failsWith(call, LockStoreException.class);
        released(algorithm.attempts.get(0), algorithm.attempts.get(1));
    }

    @Test
    void longestTimeOfALockThatIsGrantedEarlyBeginsWithTheLastLock() {
        CompletableFuture<RemoteLocks> call =
                together.getLocksAsync(MultiLockRequest.of(THREE).holdAtMost(Duration.ofMinutes(10)));
        grantFirstAndLast();
        now.addAndGet(Duration.ofHours(1).toNanos());
        granted(1);
        held(call);
        now.addAndGet(Duration.ofMinutes(11).toNanos());
        assertThat(call.join().isHeld()).isFalse();
    }
}

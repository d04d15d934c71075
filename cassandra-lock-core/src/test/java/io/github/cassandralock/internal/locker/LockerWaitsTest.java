package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How waits for a lock end: by time-outs, interrupts and cancellations. */
class LockerWaitsTest extends ScriptedLockerTest {

    @Test
    void timeoutLeavesTheQueueAndReleasesAGrantThatComesTooLate() {
        assertThatThrownBy(() -> locker.getLock("k", Duration.ofMillis(20)))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("'k'")
                .hasMessageContaining("20 ms");
        ScriptedAttempt attempt = attempt(0);
        assertThat(attempt.givenUp).isTrue();
        attempt.outcome.complete(Optional.of(attempt.grant));
        assertThat(attempt.grant.isReleased()).isTrue();
    }

    private LockTimeoutException timeoutWith(@Nullable Obstacle obstacle) {
        algorithm.whileAsked = () -> attempt(0).obstacle = Optional.ofNullable(obstacle);
        return Objects.requireNonNull(
                catchThrowableOfType(LockTimeoutException.class, () -> locker.getLock("k", Duration.ofMillis(1))));
    }

    @Test
    void timeoutSaysWhoHoldsTheLockAndForHowLong() {
        assertThat(timeoutWith(new Obstacle.Taken(Optional.of("billing-3-4711"), Duration.ofMillis(2_500))))
                .hasMessageContaining("billing-3-4711")
                .hasMessageContaining("2.5 s");
    }

    @Test
    void timeoutSaysThatCassandraFailedAndHasTheLastFailureAsItsCause() {
        TimeoutException last = new TimeoutException("no node was available");
        assertThat(timeoutWith(new Obstacle.StoreFails(last)))
                .hasMessageContaining("no node was available")
                .hasMessageNotContaining("holds it")
                .hasCause(last);
    }

    @Test
    void timeoutNamesNoHolderThatIsNotKnown() {
        assertThat(timeoutWith(null)).hasMessageContaining("Another holder has it, or Cassandra is slow");
    }

    @Test
    void asynchronousCallThatTimesOutLeavesTheQueueAndSaysSo() {
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k", Duration.ofMillis(10));
        assertThat(future)
                .failsWithin(BOUND)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockTimeoutException.class)
                .withMessageContaining("was not granted within 10 ms");
        assertThat(attempt(0).givenUp).isTrue();
    }

    @Test
    void asynchronousCallThatIsGrantedInTimeIsNotTimedOut() {
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k", Duration.ofMinutes(10));
        attempt(0).outcome.complete(Optional.of(attempt(0).grant));
        assertThat(future).succeedsWithin(BOUND).matches(RemoteLock::isHeld);
        assertThat(attempt(0).givenUp).isFalse();
        assertThatThrownBy(() -> locker.getLockAsync("k", Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lockThatIsGrantedInTheLastInstantOfTheTimeoutIsReturned() {
        algorithm.whileAsked = () -> {
            ScriptedAttempt attempt = attempt(0);
            attempt.whileTimingOut = () -> attempt.outcome.complete(Optional.of(attempt.grant));
        };
        try (RemoteLock lock = locker.getLock("k", Duration.ofMillis(1))) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(attempt(0).givenUp).isFalse();
        }
    }

    @Test
    void timeoutThatOverflowsALongCountsAsUnlimited() {
        CompletableFuture<Boolean> held = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try (RemoteLock lock = locker.getLock("k", Duration.ofDays(200_000))) {
                held.complete(lock.isHeld());
            } catch (RuntimeException e) {
                held.completeExceptionally(e);
            }
        });
        waiter.start();
        await().atMost(BOUND).until(() -> waiter.getState() == Thread.State.TIMED_WAITING || held.isDone());
        attempt(0).outcome.complete(Optional.of(attempt(0).grant));
        assertThat(held).succeedsWithin(BOUND).isEqualTo(true);
    }

    @Test
    void interruptLeavesTheQueueAndKeepsTheFlag() throws Exception {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        AtomicReference<@Nullable Boolean> flag = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                locker.getLock("k");
            } catch (LockInterruptedException e) {
                thrown.set(e);
                flag.set(Thread.currentThread().isInterrupted());
            }
        });
        waiter.start();
        ScriptedAttempt attempt = attempt(0);
        waiter.interrupt();
        waiter.join(BOUND.toMillis());
        assertThat(thrown.get()).isInstanceOf(LockInterruptedException.class).hasMessageContaining("'k'");
        assertThat(flag.get()).isTrue();
        assertThat(attempt.givenUp).isTrue();
    }

    @Test
    void interruptEndsTimedAndSoftCallsTooAndKeepsTheFlag() {
        List<ThrowingCallable> calls = List.of(() -> locker.getLock("k", BOUND), () -> locker.tryGetLock("k"));
        for (ThrowingCallable call : calls) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(call).isInstanceOf(LockInterruptedException.class);
            assertThat(Thread.interrupted()).as("the flag").isTrue();
        }
        assertThat(algorithm.attempts).hasSize(2).allMatch(attempt -> attempt.givenUp);
    }

    /** The grant arrives when the clock is read: after the interrupt and before the call leaves the queue. */
    @Test
    void grantThatArrivesDuringAnInterruptIsReleased() {
        AtomicInteger readings = new AtomicInteger();
        Ticker ticker = () -> {
            if (readings.incrementAndGet() == 2) {
                ScriptedAttempt attempt = algorithm.attempts.get(0);
                attempt.outcome.complete(Optional.of(attempt.grant));
            }
            return 0;
        };
        try (AlgorithmLocker crossed = new AlgorithmLocker(algorithm, LEASE, ticker, timers, List.of())) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> crossed.getLock("k")).isInstanceOf(LockInterruptedException.class);
            assertThat(Thread.interrupted()).as("the flag").isTrue();
            assertThat(attempt(0).grant.isReleased()).isTrue();
        }
    }

    @Test
    void cancellingAnAsynchronousLockLeavesTheQueue() {
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k");
        future.cancel(false);
        ScriptedAttempt attempt = attempt(0);
        assertThat(attempt.givenUp).isTrue();
        attempt.outcome.complete(Optional.of(attempt.grant));
        await().atMost(BOUND).until(() -> attempt.grant.isReleased());
        assertThat(future).isCancelled();
        assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
    }

    @Test
    void callWhoseFutureTheCallerCompletesLeavesTheQueue() {
        RemoteLock other = granted("other");
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k");
        future.complete(other);
        assertThat(attempt(1).givenUp).isTrue();
    }

    @Test
    void lockWhoseCallIsCancelledBeforeTheFutureCompletesIsReleased() {
        CompletableFuture<Void> end = busyThreads();
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k");
        ScriptedAttempt attempt = attempt(4);
        attempt.outcome.complete(Optional.of(attempt.grant));
        future.cancel(false);
        end.complete(null);
        await().atMost(BOUND).until(() -> attempt.grant.isReleased());
    }
}

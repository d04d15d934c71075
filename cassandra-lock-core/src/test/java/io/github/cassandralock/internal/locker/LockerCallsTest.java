package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers get who request a lock: locks, refusals of bad arguments, and failures. */
class LockerCallsTest extends ScriptedLockerTest {

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "   ", "\t", "with\u0000control", "line\nbreak", "\u0085"})
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void badLockIdIsRefusedAtOnceByEveryMethod(@Nullable String lockId) {
        assertThatThrownBy(() -> locker.getLock(lockId)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker.getLock(lockId, BOUND)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker.tryGetLock(lockId)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker.getLockAsync(lockId)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locker.tryGetLockAsync(lockId)).isInstanceOf(IllegalArgumentException.class);
        assertThat(algorithm.attempts).isEmpty();
    }

    @Test
    void messageOfABadLockIdNamesTheRuleThatItBreaks() {
        assertThatThrownBy(() -> locker.getLock(" ")).hasMessageContaining("blank");
        assertThatThrownBy(() -> locker.getLock("a\u0007b")).hasMessageContaining("U+0007");
        assertThatThrownBy(() -> locker.getLock("half \uD83D")).hasMessageContaining("surrogate");
        assertThatThrownBy(() -> locker.getLock("x".repeat(513)))
                .hasMessageContaining("513 bytes")
                .hasMessageContaining("512");
        assertThatThrownBy(() -> locker.getLock("🔒".repeat(129))).hasMessageContaining("516 bytes");
    }

    @Test
    void lockIdOfExactly512BytesIsAccepted() {
        try (RemoteLock lock = granted("🔒".repeat(128))) {
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S"})
    void timeoutOfZeroOrLessIsRefused(Duration timeout) {
        assertThatThrownBy(() -> locker.getLock("k", timeout))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(timeout.toString())
                .hasMessageContaining("'k'");
        assertThat(algorithm.attempts).isEmpty();
    }

    @Test
    void threadThatWouldWaitForItselfIsRefused() {
        try (RemoteLock lock = granted("k")) {
            assertThatThrownBy(() -> locker.getLock("k"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("already holds lock 'k'");
            assertThatThrownBy(() -> locker.getLock("k", BOUND)).isInstanceOf(IllegalStateException.class);
        }
        try (RemoteLock again = granted("k")) {
            assertThat(again.isHeld()).as("after its release").isTrue();
        }
    }

    @Test
    void timedAndSoftCallsGetAFreeLock() {
        algorithm.grantAtOnce = true;
        try (RemoteLock timed = locker.getLock("timed", BOUND);
                RemoteLock tried = locker.tryGetLock("tried").orElseThrow()) {
            assertThat(timed.isHeld()).isTrue();
            assertThat(tried.isHeld()).isTrue();
        }
    }

    @Test
    void refusedSoftAttemptIsEmpty() {
        CompletableFuture<Optional<RemoteLock>> answer = CompletableFuture.supplyAsync(() -> locker.tryGetLock("k"));
        attempt(0).outcome.complete(Optional.empty());
        assertThat(answer).succeedsWithin(BOUND).isEqualTo(Optional.empty());
        await().atMost(BOUND).untilAsserted(() -> assertThat(events).containsExactly("refused k"));
    }

    @Test
    void asynchronousLockCompletesOnAThreadOfTheLocker() {
        CompletableFuture<String> thread = locker.getLockAsync("k")
                .thenApply(lock -> Thread.currentThread().getName());
        ScriptedAttempt attempt = attempt(0);
        attempt.outcome.complete(Optional.of(attempt.grant));
        assertThat(thread).succeedsWithin(BOUND).asString().startsWith("cassandra-lock-callback");
    }

    @Test
    void failureAlsoCompletesOnAThreadOfTheLocker() {
        CompletableFuture<String> thread = new CompletableFuture<>();
        locker.getLockAsync("k")
                .whenComplete((lock, failure) ->
                        thread.complete(Thread.currentThread().getName()));
        ScriptedAttempt attempt = attempt(0);
        new Thread(() -> attempt.outcome.completeExceptionally(new TimeoutException("no answer")), "driver").start();
        assertThat(thread).succeedsWithin(BOUND).asString().startsWith("cassandra-lock-callback");
    }

    @Test
    void failureOfTheStoreIsExplainedAndItsCauseAttached() {
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k");
        IllegalAccessException cause = new IllegalAccessException("no rights");
        attempt(0).outcome.completeExceptionally(cause);
        assertThat(future)
                .failsWithin(BOUND)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockStoreException.class)
                .withMessageContaining("'k'")
                .withMessageContaining("no rights")
                .withCause(cause);
    }

    @Test
    void messageOfANestedFailureIsThatOfTheInnermostCause() {
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k");
        IllegalAccessException cause = new IllegalAccessException("no rights");
        attempt(0).outcome.completeExceptionally(new CompletionException(new ExecutionException(cause)));
        assertThat(future)
                .failsWithin(BOUND)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockStoreException.class)
                .withCause(cause);
    }

    @Test
    void messageOfARefusedRequestSaysWhatToDo() {
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k");
        attempt(0)
                .outcome
                .completeExceptionally(new RefusedRequestException(
                        "The role may not write: grant it MODIFY", new IllegalAccessException("no rights")));
        assertThat(future)
                .failsWithin(BOUND)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockStoreException.class)
                .withMessageContaining("grant it MODIFY")
                .withMessageNotContaining("unreachable");
    }

    @Test
    void lockThatWasLostBeforeItsCallerSawItIsNotHandedOut() {
        CompletableFuture<Void> end = busyThreads();
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k");
        ScriptedAttempt attempt = attempt(4);
        attempt.outcome.complete(Optional.of(attempt.grant));
        attempt.grant.lost.complete(new LockLoss(LockLoss.Reason.OTHER, "test"));
        end.complete(null);
        assertThat(future)
                .failsWithin(BOUND)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockLostException.class)
                .withMessageContaining("'k'");
        assertThat(attempt.grant.isReleased()).isTrue();
    }

    @Test
    void everyAcquisitionHasAThreadIdOfItsOwn() {
        List<String> ids = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            try (RemoteLock lock = granted("k")) {
                ids.add(lock.getThreadId());
            }
        }
        assertThat(ids)
                .doesNotHaveDuplicates()
                .allMatch(id -> id.contains("" + ProcessHandle.current().pid()));
    }

    @Test
    void callWaitsNoLongerWhenItsCallerHasTheAnswer() {
        ExecutorService here = new OnTheCallersThread();
        AlgorithmLocker direct = new AlgorithmLocker(
                algorithm,
                LEASE,
                Ticker.system(),
                timers,
                List.of(),
                () -> CallObserver.NONE,
                new CallbackThreads(here, here, here, here),
                Optional::empty,
                AbandonedPolicy.IGNORE);
        CompletableFuture<Integer> waiting = direct.getLockAsync("k").handle((lock, failure) -> direct.waitingCalls());
        direct.close();
        assertThat(waiting).as("calls that wait").isCompletedWithValue(0);
    }
}

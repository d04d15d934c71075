package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What holders get from a handle: its state, its loss, contention, and fencing tokens. */
class LockHandleTest extends ScriptedLockerTest {

    @Test
    void closedLockIsNotHeldAndSaysSo() {
        RemoteLock lock = granted("k");
        lock.close();
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::ensureHeld)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void actionAfterAReleaseDoesNotRunOnTheThreadOfTheStoresAnswer() {
        RemoteLock lock = granted("k");
        CompletableFuture<Void> release = new CompletableFuture<>();
        attempt(0).grant.release = release;
        CompletionStage<String> thread =
                lock.closeAsync().thenApply(done -> Thread.currentThread().getName());
        new Thread(() -> release.complete(null), "store").start();
        assertThat(thread.toCompletableFuture())
                .succeedsWithin(BOUND)
                .asString()
                .startsWith("cassandra-lock-callback");
    }

    @Test
    void lossIsReportedAlthoughAllCallbackThreadsAreBusy() {
        RemoteLock lock = granted("k");
        CompletableFuture<Void> end = new CompletableFuture<>();
        for (int number = 1; number <= 10; number++) {
            locker.getLockAsync("busy" + number).thenAccept(busy -> end.join());
            ScriptedAttempt attempt = attempt(number);
            attempt.outcome.complete(Optional.of(attempt.grant));
        }
        CompletableFuture<Void> told = new CompletableFuture<>();
        lock.onLost(reason -> told.complete(null));
        attempt(0).grant.lost.complete(new LockLoss(LockLoss.Reason.OTHER, "test"));
        assertThat(told).succeedsWithin(BOUND);
        end.complete(null);
    }

    @Test
    void lossIsReportedOnceAndAtOnceIfItHasHappenedAlready() {
        RemoteLock lock = granted("k");
        List<String> told = new CopyOnWriteArrayList<>();
        lock.onLost(reason -> {
            throw new IllegalStateException("a callback of bad quality");
        });
        lock.onLost(reason -> told.add("first " + reason));
        attempt(0).grant.lost.complete(new LockLoss(LockLoss.Reason.OTHER, "test"));
        await().atMost(BOUND).until(() -> told.contains("first test"));
        lock.onLost(reason -> told.add("late " + reason));
        assertThat(told).containsExactly("first test", "late test");
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::ensureHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'k'")
                .hasMessageContaining("was lost: test");
        lock.close();
        lock.close();
    }

    @Test
    void lockThatTheCloseOfTheLockerEndsDuringACheckIsReportedAsLost() {
        RemoteLock lock = granted("k");
        attempt(0).grant.lost.onceFoundNotLost.set(locker::close);
        assertThatThrownBy(lock::ensureHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("the application is shutting down");
    }

    @Test
    void contentionIsReportedOnceToEachCallbackWhileTheLockIsHeld() {
        RemoteLock lock = granted("k");
        List<String> told = new CopyOnWriteArrayList<>();
        lock.onContention(() -> {
            throw new IllegalStateException("a fault of the application");
        });
        lock.onContention(() -> told.add(Thread.currentThread().getName()));
        attempt(0).grant.contended.complete(null);
        await().atMost(BOUND).until(() -> told.size() == 1);
        assertThat(told.get(0)).startsWith("cassandra-lock-callback-");
        lock.close();
        lock.onContention(() -> told.add("after the release"));
        granted("next").onContention(() -> told.add("of a lock that nobody waits for"));
        assertThat(told).hasSize(1);
    }

    @Test
    void fencingTokenIsTheOneThatWasReserved() {
        RemoteLock lock = granted("k");
        attempt(0).grant.token = CompletableFuture.completedFuture(42L);
        assertThat(lock.reserveFencingToken()).isEqualTo(42);
    }

    @Test
    void fencingTokenIsRefusedByAnAlgorithmWithoutTokens() {
        try (RemoteLock lock = granted("k")) {
            assertThatThrownBy(lock::reserveFencingToken)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("scripted");
        }
    }

    @Test
    void fencingTokenIsRefusedOnceTheLockIsClosedOrLost() {
        RemoteLock closed = granted("closed");
        attempt(0).grant.token = CompletableFuture.completedFuture(1L);
        closed.close();
        assertThatThrownBy(closed::reserveFencingToken)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        RemoteLock lost = granted("lost");
        attempt(1).grant.token = CompletableFuture.completedFuture(1L);
        attempt(1).grant.lost.complete(new LockLoss(LockLoss.Reason.OTHER, "test"));
        assertThatThrownBy(lost::reserveFencingToken).isInstanceOf(LockLostException.class);
    }

    @Test
    void lossDuringTheReservationOfAFencingTokenIsReportedAsALoss() {
        RemoteLock lock = granted("k");
        ScriptedGrant grant = attempt(0).grant;
        grant.token = CompletableFuture.failedFuture(new IllegalStateException("the lock was lost"));
        grant.whileReserving = () -> grant.lost.complete(new LockLoss(LockLoss.Reason.OTHER, "test"));
        assertThatThrownBy(lock::reserveFencingToken)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("was lost: test");
    }

    @Test
    void waitForAFencingTokenEndsWithTheLease() {
        Duration shortLease = Duration.ofMillis(50);
        try (AlgorithmLocker impatient =
                new AlgorithmLocker(algorithm, shortLease, Ticker.system(), timers, List.of())) {
            algorithm.grantAtOnce = true;
            RemoteLock lock = impatient.getLock("k");
            attempt(0).grant.token = new CompletableFuture<>();
            assertThatThrownBy(lock::reserveFencingToken)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("50 ms");
        }
    }

    @Test
    void waitForAFencingTokenCanBeInterrupted() throws Exception {
        RemoteLock lock = granted("k");
        attempt(0).grant.token = new CompletableFuture<>();
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                lock.reserveFencingToken();
            } catch (LockInterruptedException e) {
                flag.complete(Thread.currentThread().isInterrupted());
            }
        });
        waiter.start();
        waiter.interrupt();
        assertThat(flag).succeedsWithin(BOUND).isEqualTo(true);
        assertThat(lock.isHeld()).isTrue();
    }
}

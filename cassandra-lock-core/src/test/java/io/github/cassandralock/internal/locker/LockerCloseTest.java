package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.threads.Leftovers;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the end of a locker, or of a hold, ends and leaves. */
class LockerCloseTest extends ScriptedLockerTest {

    @Test
    void closingReportsLossesReleasesLocksAndRefusesWaitersAndNewCalls() {
        RemoteLock lock = granted("held");
        List<String> told = new CopyOnWriteArrayList<>();
        lock.onLost(loss -> told.add(loss.text()));
        CompletableFuture<RemoteLock> waiter = locker.getLockAsync("waited-for");
        locker.close();
        assertThat(attempt(0).grant.isReleased()).isTrue();
        await().atMost(BOUND).until(() -> told.contains("the application is shutting down"));
        assertThat(waiter)
                .failsWithin(BOUND)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("closed");
        assertThatThrownBy(() -> locker.getLock("k"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(algorithm.closed).isTrue();
    }

    @Test
    void closingRefusesTimedCallsThatWaitLongBeforeTheirTimeouts() {
        CompletableFuture<RemoteLock> timed = locker.getLockAsync("waited-for", Duration.ofMinutes(10));
        ScriptedAttempt attempt = attempt(0);
        locker.close();
        assertThat(timed)
                .failsWithin(BOUND)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("closed");
        assertThat(attempt.givenUp)
                .as("the attempt, whose place in the queue is free")
                .isTrue();
        attempt.outcome.complete(Optional.of(attempt.grant));
        assertThat(attempt.grant.isReleased()).as("a grant that arrives later").isTrue();
    }

    /** The grant of each call arrives while the locker closes and gives up the other call. */
    @Test
    void grantThatArrivesWhileTheLockerClosesIsReleasedAndItsCallIsRefused() {
        List<CompletableFuture<RemoteLock>> futures = List.of(locker.getLockAsync("a"), locker.getLockAsync("b"));
        List<ScriptedAttempt> attempts = List.of(attempt(0), attempt(1));
        attempts.get(0).whileGivingUp = () -> attempts.get(1).outcome.complete(Optional.of(attempts.get(1).grant));
        attempts.get(1).whileGivingUp = () -> attempts.get(0).outcome.complete(Optional.of(attempts.get(0).grant));
        locker.close();
        futures.forEach(future -> assertThat(future)
                .as("the answer to calls that waited at shutdown")
                .failsWithin(BOUND)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("closed"));
        assertThat(attempts.stream().filter(attempt -> attempt.outcome.isDone()))
                .as("grants that arrived")
                .isNotEmpty()
                .allMatch(attempt -> attempt.grant.isReleased());
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(events)
                        .as("events of locks that were never held")
                        .containsExactlyInAnyOrder("given up a", "given up b"));
    }

    @Test
    void callDuringTheCloseFailsBecauseTheLockerClosed() {
        algorithm.whileAsked = () -> {
            locker.close();
            attempt(0).outcome.completeExceptionally(new IllegalStateException("the algorithm has ended"));
        };
        assertThatThrownBy(() -> locker.getLock("k"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed while waiting for lock 'k'");
    }

    @Test
    void closingWaitsForTheReleasesAndThenForTheEndOfTheAlgorithm() throws Exception {
        granted("k");
        CompletableFuture<Void> release = new CompletableFuture<>();
        attempt(0).grant.release = release;
        CompletableFuture<Void> end = new CompletableFuture<>();
        algorithm.end = end;
        Thread closer = new Thread(locker::close);
        closer.start();
        awaitThatItWaits(closer);
        assertThat(algorithm.closed)
                .as("the algorithm has ended before the release")
                .isFalse();
        release.complete(null);
        await().atMost(BOUND).until(() -> algorithm.closed);
        awaitThatItWaits(closer);
        end.complete(null);
        closer.join(BOUND.toMillis());
        assertThat(closer.isAlive()).as("still closing").isFalse();
    }

    @Test
    void interruptDuringAReleaseOrTheEndIsKept() {
        RemoteLock lock = granted("k");
        granted("j");
        attempt(0).grant.release = new CompletableFuture<>();
        attempt(1).grant.release = new CompletableFuture<>();
        Thread.currentThread().interrupt();
        lock.close();
        assertThat(Thread.interrupted()).as("the flag, after the release").isTrue();
        Thread.currentThread().interrupt();
        locker.close();
        assertThat(Thread.interrupted()).as("the flag, after the end").isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callbackThreadsEndWithTheLocker(boolean blocking) {
        CallbackThreads threads = CallbackThreads.create();
        AlgorithmLocker ended = new AlgorithmLocker(
                algorithm,
                LEASE,
                Ticker.system(),
                timers,
                List.of(),
                () -> CallObserver.NONE,
                threads,
                Optional::empty,
                AbandonedPolicy.IGNORE);
        if (blocking) {
            ended.close();
        } else {
            assertThat(ended.closeAsync().toCompletableFuture()).isCompleted();
        }
        assertThat(List.of(threads.callbacks(), threads.losses(), threads.listener()))
                .allMatch(ExecutorService::isShutdown);
    }

    @Test
    void processThatIsRestoredFromACheckpointLosesItsLocksAndRefusesItsWaiters() {
        RemoteLock lock = granted("held");
        String before = lock.getThreadId();
        CompletableFuture<RemoteLock> waiter = locker.getLockAsync("waited-for");
        locker.restored();
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::ensureHeld)
                .hasMessageContaining("restored from a checkpoint")
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.getReason()).isEqualTo(LockLoss.Reason.RESTORED));
        assertThat(waiter)
                .failsWithin(BOUND)
                .withThrowableThat()
                .havingCause()
                .withMessageContaining("repeat the call");
        assertThat(algorithm.abandoned).isEqualTo("the process was restored from a checkpoint");
        try (RemoteLock later = granted("later")) {
            assertThat(later.isHeld()).isTrue();
            assertThat(later.getThreadId().substring(0, before.lastIndexOf('-')))
                    .as("the part of the thread id that all copies of a process would share")
                    .isNotEqualTo(before.substring(0, before.lastIndexOf('-')));
        }
    }

    @Test
    void lockerStoresNothingOfALockThatWasClosed() {
        granted("k").close();
        assertThat(locker.heldLocks()).as("handles").isZero();
        assertThat(Leftovers.in(Leftovers.of(Leftovers.of(Leftovers.of(locker, "locks"), "owners"), "locks"), "lists"))
                .as("threads that are thought to hold it")
                .isZero();
    }

    @Test
    void lockerStoresNothingOfALockThatIsReleasedBeforeTheCallReturns() {
        algorithm.grantAtOnce = true;
        algorithm.whileAsked = () -> attempt(0).grant.onceFoundValid.set(locker::close);
        assertThat(locker.getLock("k").isHeld()).isFalse();
        assertThat(Leftovers.in(Leftovers.of(Leftovers.of(Leftovers.of(locker, "locks"), "owners"), "locks"), "lists"))
                .as("threads that are thought to hold it")
                .isZero();
    }
}

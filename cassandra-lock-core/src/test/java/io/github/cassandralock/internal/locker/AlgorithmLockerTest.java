package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockListener;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.inspect.LocalLocks;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.text.ProcessName;
import io.github.cassandralock.internal.threads.Leftovers;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Obstacle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class AlgorithmLockerTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final ScriptedAlgorithm algorithm = new ScriptedAlgorithm();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ScheduledTimers timers = new ScheduledTimers();
    private final AlgorithmLocker locker =
            new AlgorithmLocker(algorithm, LEASE, Ticker.system(), timers, List.of(new Failing(), new Recording()));

    /** Grants when the test says so. */
    private static final class ScriptedAlgorithm implements LockAlgorithm {

        private final List<ScriptedAttempt> attempts = new CopyOnWriteArrayList<>();
        private volatile boolean grantAtOnce;
        private volatile Runnable whileAsked = () -> {};
        private volatile CompletableFuture<Void> end = CompletableFuture.completedFuture(null);
        private volatile boolean closed;
        private volatile String abandoned = "";

        @Override
        public void abandonAll(String reason) {
            abandoned = reason;
        }

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public Attempt acquire(AcquireRequest request) {
            ScriptedAttempt attempt = new ScriptedAttempt();
            attempts.add(attempt);
            whileAsked.run();
            if (grantAtOnce) {
                attempt.outcome.complete(Optional.of(attempt.grant));
            }
            return attempt;
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            closed = true;
            return end;
        }
    }

    private static final class ScriptedAttempt implements Attempt {

        private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        private final ScriptedGrant grant = new ScriptedGrant();
        private volatile boolean givenUp;
        private volatile Runnable whileGivingUp = () -> {};
        private volatile Runnable whileTimingOut = () -> {};
        private volatile Optional<Obstacle> obstacle = Optional.empty();

        @Override
        public Optional<Obstacle> obstacle() {
            whileTimingOut.run();
            return obstacle;
        }

        @Override
        public CompletionStage<Optional<Grant>> outcome() {
            return outcome;
        }

        @Override
        public void giveUp() {
            givenUp = true;
            whileGivingUp.run();
        }
    }

    private static final class ScriptedGrant extends PlainGrant {

        /** Runs an action between the moment when a check found the lock not lost, and what the check does next. */
        private static final class Loss extends CompletableFuture<String> {

            private final AtomicReference<Runnable> onceFoundNotLost = new AtomicReference<>(() -> {});

            @Override
            public boolean isDone() {
                boolean done = super.isDone();
                onceFoundNotLost.getAndSet(() -> {}).run();
                return done;
            }
        }

        private final Loss lost;
        private final CompletableFuture<Void> contended = new CompletableFuture<>();
        private volatile CompletableFuture<Void> release = CompletableFuture.completedFuture(null);
        private volatile @Nullable CompletableFuture<Long> token;
        private volatile Runnable whileReserving = () -> {};
        private final AtomicReference<Runnable> onceFoundValid = new AtomicReference<>(() -> {});

        ScriptedGrant() {
            this(new Loss());
        }

        private ScriptedGrant(Loss lost) {
            super(lost);
            this.lost = lost;
        }

        @Override
        public boolean isValid() {
            boolean valid = super.isValid();
            onceFoundValid.getAndSet(() -> {}).run();
            return valid;
        }

        @Override
        public CompletionStage<Long> fencingToken() {
            if (token == null) {
                throw new UnsupportedOperationException("no token in 'scripted'");
            }
            whileReserving.run();
            return token;
        }

        @Override
        public CompletionStage<Void> contended() {
            return contended;
        }

        @Override
        public CompletionStage<Void> release() {
            super.release();
            return release;
        }
    }

    private final class Recording implements LockListener {

        @Override
        public void onAcquired(String lockId, String threadId, Duration waited) {
            events.add("acquired " + lockId);
        }

        @Override
        public void onRefused(String lockId) {
            events.add("refused " + lockId);
        }

        @Override
        public void onGivenUp(String lockId, Duration waited, Throwable reason) {
            events.add("given up " + lockId);
        }

        @Override
        public void onReleased(String lockId, String threadId, Duration held) {
            events.add("released " + lockId);
        }

        @Override
        public void onLost(String lockId, String threadId, String reason) {
            events.add("lost " + lockId + ": " + reason);
        }
    }

    private static final class Failing implements LockListener {

        @Override
        public void onAcquired(String lockId, String threadId, Duration waited) {
            throw new IllegalStateException("a listener of bad quality");
        }
    }

    @AfterEach
    void close() {
        locker.close();
        timers.close();
    }

    /** The locks of all names that are listed together are the oldest thousand. */
    @Test
    void locksOfOneNameAreListedAlthoughThousandsOfOthersAreOlder() {
        int older = 2 * LocalLocks.MOST;
        algorithm.grantAtOnce = true;
        for (int number = 0; number < older; number++) {
            locker.getLock("older:" + number);
        }
        locker.getLock("k");
        algorithm.grantAtOnce = false;
        for (int number = 0; number < older; number++) {
            locker.getLockAsync("older:" + number);
        }
        locker.getLockAsync("k");
        LocalLocks all = locker.localLocks(lockId -> true);
        assertThat(List.of(all.held().size(), all.waiting().size())).containsExactly(LocalLocks.MOST, LocalLocks.MOST);
        assertThat(List.of(all.heldCount(), all.waitingCount())).containsExactly(older + 1, older + 1);
        LocalLocks named = locker.localLocks("k"::equals);
        assertThat(named.held()).extracting(LocalLock::lockId).containsExactly("k");
        assertThat(named.waiting()).extracting(LocalLock::lockId).containsExactly("k");
        assertThat(List.of(named.heldCount(), named.waitingCount())).containsExactly(1, 1);
    }

    private RemoteLock granted(String lockId) {
        algorithm.grantAtOnce = true;
        RemoteLock lock = locker.getLock(lockId);
        algorithm.grantAtOnce = false;
        return lock;
    }

    /** Blocks all callback threads, with the first four attempts, until the future completes. */
    private CompletableFuture<Void> busyThreads() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        for (int number = 0; number < 4; number++) {
            locker.getLockAsync("busy" + number).thenAccept(busy -> end.join());
            ScriptedAttempt attempt = attempt(number);
            attempt.outcome.complete(Optional.of(attempt.grant));
        }
        return end;
    }

    private static void awaitThatItWaits(Thread thread) {
        await().atMost(BOUND).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    private ScriptedAttempt attempt(int number) {
        await().atMost(BOUND).until(() -> algorithm.attempts.size() > number);
        return algorithm.attempts.get(number);
    }

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
        attempt(0).grant.lost.complete("test");
        assertThat(told).succeedsWithin(BOUND);
        end.complete(null);
    }

    @Test
    void listenersReceiveALossBeforeTheReleaseThatFollows() {
        granted("k");
        locker.close();
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(events)
                        .containsExactly("acquired k", "lost k: the application is shutting down", "released k"));
    }

    @Test
    void lossIsReportedOnceAndAtOnceIfItHasHappenedAlready() {
        RemoteLock lock = granted("k");
        List<String> told = new CopyOnWriteArrayList<>();
        lock.onLost(reason -> {
            throw new IllegalStateException("a callback of bad quality");
        });
        lock.onLost(reason -> told.add("first " + reason));
        attempt(0).grant.lost.complete("test");
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
    void closedLockIsNotHeldAndSaysSo() {
        RemoteLock lock = granted("k");
        lock.close();
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::ensureHeld)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
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
    void fencingTokenIsRefusedByAnAlgorithmWithoutTokens() {
        try (RemoteLock lock = granted("k")) {
            assertThatThrownBy(lock::getFencingToken)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("scripted");
        }
    }

    @Test
    void listenersReceiveAllEventsAlthoughAnotherListenerFails() {
        RemoteLock lock = granted("k");
        attempt(0).grant.lost.complete("test");
        lock.close();
        await().atMost(BOUND).until(() -> events.size() == 3);
        assertThat(events).containsExactlyInAnyOrder("acquired k", "lost k: test", "released k");
        assertThatThrownBy(() -> locker.getLock("j", Duration.ofMillis(10))).isInstanceOf(LockTimeoutException.class);
        await().atMost(BOUND).untilAsserted(() -> assertThat(events).contains("given up j"));
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
    void closingReportsLossesReleasesLocksAndRefusesWaitersAndNewCalls() {
        RemoteLock lock = granted("held");
        List<String> told = new CopyOnWriteArrayList<>();
        lock.onLost(told::add);
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
    void lockThatWasLostBeforeItsCallerSawItIsNotHandedOut() {
        CompletableFuture<Void> end = busyThreads();
        CompletableFuture<RemoteLock> future = locker.getLockAsync("k");
        ScriptedAttempt attempt = attempt(4);
        attempt.outcome.complete(Optional.of(attempt.grant));
        attempt.grant.lost.complete("test");
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
    void waitForAFencingTokenEndsWithTheLease() {
        Duration shortLease = Duration.ofMillis(50);
        try (AlgorithmLocker impatient =
                new AlgorithmLocker(algorithm, shortLease, Ticker.system(), timers, List.of())) {
            algorithm.grantAtOnce = true;
            RemoteLock lock = impatient.getLock("k");
            attempt(0).grant.token = new CompletableFuture<>();
            assertThatThrownBy(lock::getFencingToken)
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
                lock.getFencingToken();
            } catch (LockInterruptedException e) {
                flag.complete(Thread.currentThread().isInterrupted());
            }
        });
        waiter.start();
        waiter.interrupt();
        assertThat(flag).succeedsWithin(BOUND).isEqualTo(true);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void processThatIsRestoredFromACheckpointLosesItsLocksAndRefusesItsWaiters() {
        RemoteLock lock = granted("held");
        String before = lock.getThreadId();
        CompletableFuture<RemoteLock> waiter = locker.getLockAsync("waited-for");
        locker.restored();
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::ensureHeld).hasMessageContaining("restored from a checkpoint");
        assertThat(waiter).failsWithin(BOUND).withThrowableThat().havingCause().withMessageContaining("ask again");
        assertThat(algorithm.abandoned).isEqualTo("the process was restored from a checkpoint");
        try (RemoteLock later = granted("later")) {
            assertThat(later.isHeld()).isTrue();
            assertThat(later.getThreadId().substring(0, before.lastIndexOf('-')))
                    .as("the part of the thread id that all copies of a process would share")
                    .isNotEqualTo(before.substring(0, before.lastIndexOf('-')));
        }
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
    void timeoutNamesNoHolderThatIsNotKnown() {
        assertThat(timeoutWith(null)).hasMessageContaining("Another holder has it, or Cassandra is slow");
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
    void timedAndSoftCallsGetAFreeLock() {
        algorithm.grantAtOnce = true;
        try (RemoteLock timed = locker.getLock("timed", BOUND);
                RemoteLock tried = locker.tryGetLock("tried").orElseThrow()) {
            assertThat(timed.isHeld()).isTrue();
            assertThat(tried.isHeld()).isTrue();
        }
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
    void listenersReceiveHowLongACallWaitedAndHowLongTheLockWasHeld() {
        AtomicLong clock = new AtomicLong(Duration.ofHours(1).toNanos());
        List<String> told = new CopyOnWriteArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void onAcquired(String lockId, String threadId, Duration waited) {
                told.add("waited " + waited);
            }

            @Override
            public void onReleased(String lockId, String threadId, Duration held) {
                told.add("held " + held);
            }
        };
        try (AlgorithmLocker timed = new AlgorithmLocker(algorithm, LEASE, clock::get, timers, List.of(listener))) {
            CompletableFuture<RemoteLock> future = timed.getLockAsync("k");
            clock.addAndGet(Duration.ofSeconds(3).toNanos());
            attempt(0).outcome.complete(Optional.of(attempt(0).grant));
            RemoteLock lock = future.join();
            clock.addAndGet(Duration.ofSeconds(5).toNanos());
            lock.close();
            await().atMost(BOUND).untilAsserted(() -> assertThat(told).containsExactly("waited PT3S", "held PT5S"));
        }
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

    @Test
    void fencingTokenIsTheOneThatWasReserved() {
        RemoteLock lock = granted("k");
        attempt(0).grant.token = CompletableFuture.completedFuture(42L);
        assertThat(lock.getFencingToken()).isEqualTo(42);
    }

    @Test
    void fencingTokenIsRefusedOnceTheLockIsClosedOrLost() {
        RemoteLock closed = granted("closed");
        attempt(0).grant.token = CompletableFuture.completedFuture(1L);
        closed.close();
        assertThatThrownBy(closed::getFencingToken)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        RemoteLock lost = granted("lost");
        attempt(1).grant.token = CompletableFuture.completedFuture(1L);
        attempt(1).grant.lost.complete("test");
        assertThatThrownBy(lost::getFencingToken).isInstanceOf(LockLostException.class);
    }

    @Test
    void lossDuringTheReservationOfAFencingTokenIsReportedAsALoss() {
        RemoteLock lock = granted("k");
        ScriptedGrant grant = attempt(0).grant;
        grant.token = CompletableFuture.failedFuture(new IllegalStateException("the lock was lost"));
        grant.whileReserving = () -> grant.lost.complete("test");
        assertThatThrownBy(lock::getFencingToken)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("was lost: test");
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
    void callWaitsNoLongerWhenItsCallerHasTheAnswer() {
        ExecutorService here = new DirectExecutor();
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

    /** Runs tasks on the threads that add them. */
    private static final class DirectExecutor extends AbstractExecutorService {

        private volatile boolean shutDown;

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {
            shutDown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutDown = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return shutDown;
        }

        @Override
        public boolean isTerminated() {
            return shutDown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return shutDown;
        }
    }

    @Test
    void callbackThreadsAreDaemonsAndEndWhenIdle() {
        CallbackThreads threads = CallbackThreads.create();
        for (ExecutorService pool : List.of(threads.callbacks(), threads.losses(), threads.listener())) {
            Thread thread =
                    CompletableFuture.supplyAsync(Thread::currentThread, pool).join();
            assertThat(thread.getName()).startsWith("cassandra-lock-");
            assertThat(thread.isDaemon()).as("daemon").isTrue();
            assertThat(((ThreadPoolExecutor) pool).allowsCoreThreadTimeOut())
                    .as("ends when idle")
                    .isTrue();
        }
        threads.shutdown();
    }

    @Test
    void callbackRunsOnTheCallersThreadIfTheMachineCannotStartAThread() {
        CallbackThreads threads = CallbackThreads.create();
        ((ThreadPoolExecutor) threads.callbacks()).setThreadFactory(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        assertThat(CompletableFuture.supplyAsync(Thread::currentThread, threads.callbacks()))
                .isCompletedWithValue(Thread.currentThread());
        threads.shutdown();
    }

    /** As the operating system names it, so no name service delays the start. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void nameOfTheProcessBeginsWithTheNameOfTheMachine() throws IOException {
        assertThat(ProcessName.ofThisProcess())
                .startsWith(
                        Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + "-");
    }

    @Test
    void nameOfTheProcessContainsTheHost() {
        assertThat(ProcessName.ofThisProcess())
                .matches(".+-" + ProcessHandle.current().pid());
    }
}

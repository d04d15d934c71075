package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What observers of calls are told, and on which threads. Without I/O, in about a second. The tests would fail if a call had no
 * end or two, if observers ran on threads that renew leases, or if one that throws harmed a lock.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class CallObserverTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();
    private final ScheduledTimers timers = new ScheduledTimers();
    private final AlgorithmLocker locker;

    CallObserverTest() {
        InstantStore store = new InstantStore(new SimulatedTime());
        locker = new AlgorithmLocker(
                new TicketAlgorithm(
                        store,
                        new SessionContext(
                                store,
                                new SessionSettings(LEASE, 0.05),
                                Ticker.system(),
                                timers,
                                UUID::randomUUID,
                                "test"),
                        TicketSettings.of(
                                Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250))),
                        () -> 1_700_000_000_000_000L),
                LEASE,
                Ticker.system(),
                timers,
                List.of(),
                () -> new Tracing(this::recording),
                CallbackThreads.create(),
                Optional::empty,
                AbandonedPolicy.WARN);
    }

    @AfterEach
    void close() {
        locker.close();
        timers.close();
    }

    private void note(String what) {
        told.add(what);
        threads.add(Thread.currentThread().getName());
    }

    /** Notes first, and then throws for some locks. */
    private CallObserver.Call recording(LockRequest request, String threadId, boolean waits) {
        String lockId = request.getLockId();
        note((waits ? "asked for " : "tried ") + lockId);
        failFor("throw at once", lockId);
        return new CallObserver.Call() {
            @Override
            public Consumer<Optional<LockLostException>> granted() {
                note("granted " + lockId);
                failFor("throw at the grant", lockId);
                return new RecordedHold(lockId);
            }

            @Override
            public void refused() {
                note("refused " + lockId);
                failFor("throw", lockId);
            }

            @Override
            public void failed(Throwable reason) {
                note("failed " + lockId + ": " + reason.getClass().getSimpleName());
            }
        };
    }

    private static void failFor(String prefix, String lockId) {
        if (lockId.startsWith(prefix)) {
            throw new IllegalStateException("an observer of bad quality");
        }
    }

    private volatile @Nullable CompletableFuture<RemoteLock> takenByAnother;

    private final class RecordedHold implements Consumer<Optional<LockLostException>> {

        private final String lockId;

        RecordedHold(String lockId) {
            this.lockId = lockId;
        }

        @Override
        public void accept(Optional<LockLostException> loss) {
            note("released " + lockId + (loss.isPresent() ? " after its loss" : ""));
            if (lockId.startsWith("throw later")) {
                throw new AssertionError("an observer of bad quality");
            }
            if (lockId.equals("slow to note") && takenByAnother == null) {
                takenByAnother = CompletableFuture.supplyAsync(() -> locker.getLock(lockId, BOUND));
                assertThat(takenByAnother).succeedsWithin(BOUND);
                takenByAnother.join().close();
            }
        }
    }

    /** What the threads of the test work for, as a tracer knows it. */
    private final ThreadLocal<@Nullable String> work = new ThreadLocal<>();

    private final List<String> askedWithin = new CopyOnWriteArrayList<>();

    private final class Tracing implements CallObserver {

        private final CallObserver calls;

        Tracing(CallObserver calls) {
            this.calls = calls;
        }

        @Override
        public Call requested(LockRequest request, String threadId, boolean waits) {
            askedWithin.add(request.getLockId() + " within " + work.get());
            return calls.requested(request, threadId, waits);
        }

        @Override
        public Context context() {
            String present = work.get();
            return () -> {
                String before = work.get();
                work.set(present);
                return () -> work.set(before);
            };
        }
    }

    @Test
    void callIsFollowedFromItsBeginToTheReleaseOnTheCallersThread() {
        locker.getLock("k").close();
        assertThat(told).containsExactly("asked for k", "granted k", "released k");
        assertThat(threads).containsOnly(Thread.currentThread().getName());
    }

    @Test
    void lockIsFreeBeforeItsObserverHasNotedTheRelease() {
        try (RemoteLock lock = locker.getLock("slow to note")) {
            assertThat(lock.isHeld()).isTrue();
        }
        assertThat(takenByAnother).isCompleted();
    }

    @Test
    void refusalIsTheEndOfATry() {
        try (RemoteLock held = locker.getLock("k")) {
            assertThat(locker.tryGetLock("k")).isEmpty();
        }
        assertThat(told)
                .containsSubsequence("tried k", "refused k")
                .filteredOn("refused k"::equals)
                .hasSize(1);
        assertThat(threads).containsOnly(Thread.currentThread().getName());
    }

    @Test
    void timeoutIsTheEndOfACallOnceOnly() {
        try (RemoteLock held = locker.tryGetLock("k").orElseThrow()) {
            CompletableFuture<RemoteLock> other = CompletableFuture.supplyAsync(() -> locker.getLock("k", SHORT));
            assertThatThrownBy(other::join).hasCauseInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(() -> locker.getLockAsync("k", SHORT).join())
                    .hasCauseInstanceOf(LockTimeoutException.class);
        }
        assertThat(told).filteredOn("failed k: LockTimeoutException"::equals).hasSize(2);
        assertThat(told).doesNotContain("refused k");
    }

    @Test
    void interruptIsTheEndOfACall() throws InterruptedException {
        try (RemoteLock held = locker.getLock("k")) {
            Thread waiter = new Thread(
                    () -> assertThatThrownBy(() -> locker.getLock("k")).isInstanceOf(LockInterruptedException.class));
            waiter.start();
            await().atMost(BOUND).until(() -> locker.waitingCalls() == 1);
            waiter.interrupt();
            waiter.join();
        }
        assertThat(told).containsOnlyOnce("failed k: LockInterruptedException");
    }

    @Test
    void futureThatTheCallerEndsIsACancelledCallHoweverItIsEnded() {
        try (RemoteLock held = locker.getLock("k")) {
            locker.getLockAsync("k").cancel(false);
            locker.getLockAsync("k").orTimeout(1, TimeUnit.MILLISECONDS);
            locker.getLockAsync("k").complete(held);
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(told)
                            .filteredOn("failed k: CancellationException"::equals)
                            .hasSize(3));
        }
        assertThat(told).filteredOn("granted k"::equals).hasSize(1);
    }

    /** Stops the thread that delivers the lock at its last look, until the caller's cancellation has released the lock. */
    @Test
    void callThatIsCancelledWhileItsLockIsDeliveredIsNotLost() throws InterruptedException {
        CountDownLatch delivering = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        PlainGrant grant = new PlainGrant() {
            @Override
            public boolean isValid() {
                if (Thread.currentThread().getName().startsWith("cassandra-lock-step-")) {
                    delivering.countDown();
                    await().atMost(BOUND).until(() -> released.getCount() == 0);
                }
                return super.isValid();
            }

            @Override
            public CompletionStage<Void> release() {
                CompletionStage<Void> done = super.release();
                released.countDown();
                await().atMost(BOUND).until(() -> told.stream().anyMatch(what -> what.startsWith("failed")));
                return done;
            }
        };
        try (AlgorithmLocker granting = new AlgorithmLocker(
                new GrantingAlgorithm(grant, mode -> false),
                LEASE,
                Ticker.system(),
                timers,
                List.of(),
                () -> this::recording,
                CallbackThreads.create(),
                Optional::empty,
                AbandonedPolicy.WARN)) {
            CompletableFuture<RemoteLocks> call = granting.getLocksAsync(List.of("k"));
            assertThat(delivering.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            call.cancel(false);
        }
        assertThat(told).containsExactly("asked for k", "failed k: CancellationException");
    }

    @Test
    void asynchronousGrantIsToldOnACallbackThread() {
        locker.getLockAsync("k").join().close();
        assertThat(told).startsWith("asked for k", "granted k");
        assertThat(threads.get(1)).startsWith("cassandra-lock-callback-");
    }

    @Test
    void lossIsCountedWhenItHappensAndToldWithTheRelease() {
        RemoteLock lock = locker.getLock("k");
        locker.restored();
        assertThat(locker.figures().losses()).containsEntry(LockLoss.Reason.RESTORED, 1L);
        lock.close();
        assertThat(told).containsExactly("asked for k", "granted k", "released k after its loss");
        assertThat(locker.figures().losses()).containsEntry(LockLoss.Reason.RESTORED, 1L);
    }

    @Test
    void endOfTheLongestTimeIsReportedOnAThreadThatRenewsNoLeases() {
        RemoteLock lock = locker.getLock(LockRequest.of("k").holdAtMost(SHORT));
        await().atMost(BOUND).until(() -> told.contains("released k after its loss"));
        assertThat(threads.get(told.indexOf("released k after its loss"))).startsWith("cassandra-lock-step-");
        lock.close();
    }

    @Test
    void lossByShutdownIsCountedApart() {
        locker.getLock("k");
        locker.close();
        assertThat(told).containsExactly("asked for k", "granted k", "released k after its loss");
        assertThat(locker.figures().losses())
                .containsEntry(LockLoss.Reason.CLOSED, 1L)
                .containsEntry(LockLoss.Reason.LEASE_EXPIRED, 0L);
    }

    @ParameterizedTest
    @CsvSource({
        "throw at once, asked for, tried",
        "throw at the grant, granted, refused",
        "throw later, released, refused"
    })
    void observerThatThrowsHarmsNoLock(String lockId, String lastOfTheHolder, String lastOfTheTry) {
        try (RemoteLock lock = locker.getLock(lockId)) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(locker.tryGetLock(lockId)).isEmpty();
        }
        assertThat(locker.tryGetLock(lockId)).as("free again").hasValueSatisfying(RemoteLock::close);
        assertThat(told).contains(lastOfTheHolder + " " + lockId, lastOfTheTry + " " + lockId);
    }

    @Test
    void numbersOfWaitingCallsAndHeldLocksAreExact() {
        try (RemoteLock held = locker.getLock("k");
                RemoteLock other = locker.getLock("other")) {
            CompletableFuture<RemoteLock> waiting = locker.getLockAsync("k");
            assertThat(locker.heldLocks()).isEqualTo(2);
            assertThat(locker.waitingCalls()).isEqualTo(1);
            waiting.cancel(false);
            assertThat(locker.waitingCalls()).isZero();
        }
        assertThat(locker.heldLocks()).isZero();
    }

    @Test
    void eachOfSeveralLocksIsObservedInTheContextOfTheirCaller() {
        work.set("an order");
        RemoteLock first = locker.getLock("first");
        CompletableFuture<RemoteLocks> both = locker.getLocksAsync(List.of("second", "first"));
        first.close();
        assertThat(both).succeedsWithin(BOUND);
        both.join().close();
        await().atMost(BOUND).until(() -> told.contains("released first") && told.contains("released second"));
        assertThat(askedWithin)
                .containsExactly("first within an order", "first within an order", "second within an order");
        assertThat(told)
                .filteredOn(what -> what.endsWith("second"))
                .containsExactly("asked for second", "granted second", "released second");
        assertThat(locker.localLocks(lockId -> true).held()).isEmpty();
    }

    @Test
    void locksOfACallThatWasRefusedAreObservedUntilTheyAreReleased() {
        RemoteLock second = locker.getLockAsync("second").join();
        assertThat(locker.tryGetLocks(List.of("first", "second", "third"))).isEmpty();
        await().atMost(BOUND).until(() -> told.contains("released first"));
        assertThat(told)
                .containsSubsequence("tried first", "granted first", "tried second", "refused second")
                .doesNotContain("tried third");
        second.close();
    }
}

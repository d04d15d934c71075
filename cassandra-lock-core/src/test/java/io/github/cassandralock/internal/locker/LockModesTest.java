package io.github.cassandralock.internal.locker;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.inspect.LocalLocks;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.simulation.FleetWorld;
import io.github.cassandralock.internal.simulation.SimulatedAlgorithm;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * What the locker does with modes: it passes them on, refuses those that the algorithm does not support, and knows that a lock may
 * have several holders in one process. Costs nothing. Catches whatever takes a lock id for the name of a holder.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LockModesTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final LockRequest READER = LockRequest.of("k").mode(PROTECTED_READ);
    private static final LockRequest WRITER = LockRequest.of("k");

    private final SharingAlgorithm algorithm = new SharingAlgorithm();
    private final AtomicLong now = new AtomicLong();
    private final ScheduledTimers timers = new ScheduledTimers();
    private final AlgorithmLocker locker = new AlgorithmLocker(algorithm, LEASE, now::get, timers, List.of());
    private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        otherThread.shutdownNow();
        locker.close(Duration.ZERO);
        timers.close();
    }

    private <T> T onTheOtherThread(Callable<T> call) throws Exception {
        return otherThread.submit(call).get(1, TimeUnit.MINUTES);
    }

    @Test
    void threadsHoldALockInCompatibleModesAtTheSameTime() throws Exception {
        RemoteLock one = locker.getLock(READER);
        RemoteLock other =
                onTheOtherThread(() -> locker.getLock(LockRequest.of("k").mode(CONCURRENT_READ), BOUND));
        assertThat(one.getMode()).isEqualTo(PROTECTED_READ);
        assertThat(other.getMode()).isEqualTo(CONCURRENT_READ);
        assertThat(locker.tryGetLock(WRITER)).isEmpty();
        one.close();
        assertThat(other.isHeld()).isTrue();
        assertThat(one.getMode()).as("mode of a closed lock").isEqualTo(PROTECTED_READ);
        assertThat(locker.heldLocks()).isOne();
        other.close();
        assertThat(locker.tryGetLock(WRITER).orElseThrow().getMode()).isEqualTo(EXCLUSIVE);
    }

    @Test
    void instanceShowsItsLocksWithTheirModes() throws Exception {
        locker.getLock(READER);
        onTheOtherThread(() -> locker.getLock(READER));
        CompletableFuture<RemoteLock> waiting = locker.getLockAsync(WRITER);
        LocalLocks locks = locker.localLocks(lockId -> true);
        assertThat(locks.held()).extracting(LocalLock::mode).containsExactly(PROTECTED_READ, PROTECTED_READ);
        assertThat(locks.waiting()).extracting(LocalLock::mode).containsExactly(EXCLUSIVE);
        waiting.cancel(false);
    }

    @Test
    void severalLocksAreHeldEachInItsOwnMode() {
        MultiLockRequest requests = MultiLockRequest.ofAll(List.of(READER, LockRequest.of("other")));
        try (RemoteLocks locks = locker.getLocks(requests)) {
            assertThat(locks.get("k").getMode()).isEqualTo(PROTECTED_READ);
            assertThat(locks.get("other").getMode()).isEqualTo(EXCLUSIVE);
        }
        try (RemoteLocks locks = locker.tryGetLocks(requests).orElseThrow()) {
            assertThat(locks.get("k").getMode()).isEqualTo(PROTECTED_READ);
        }
        assertThat(locker.getLocksAsync(requests)).succeedsWithin(BOUND).satisfies(locks -> {
            assertThat(locks.get("k").getMode()).isEqualTo(PROTECTED_READ);
            locks.close();
        });
    }

    @ParameterizedTest
    @EnumSource
    void threadThatHoldsALockIsRefusedInEveryModeBecauseItMayWaitForItself(LockMode mode) {
        try (RemoteLock held = locker.getLock(READER)) {
            LockRequest again = LockRequest.of("k").mode(mode);
            assertThatThrownBy(() -> locker.getLock(again))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "already holds lock 'k' in mode PROTECTED_READ, and requests it in mode " + mode)
                    .hasMessageContaining("could wait for itself for ever");
            assertThatThrownBy(() -> locker.getLocks(MultiLockRequest.ofAll(List.of(again)), BOUND))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(locker.waitingCalls()).isZero();
    }

    @Test
    void modesAreNotMentionedIfBothAreExclusive() {
        try (RemoteLock held = locker.getLock(WRITER)) {
            assertThatThrownBy(() -> locker.getLock(WRITER))
                    .hasMessageContaining("already holds lock 'k' and would wait for itself")
                    .hasMessageNotContaining("mode");
        }
    }

    @Test
    void threadThatHoldsALockTwiceMayWaitForItselfUntilItHasClosedBoth() {
        RemoteLock one = locker.tryGetLock(READER).orElseThrow();
        RemoteLock other = locker.tryGetLock(READER).orElseThrow();
        other.close();
        assertThatThrownBy(() -> locker.getLock(WRITER)).isInstanceOf(IllegalStateException.class);
        one.close();
        locker.getLock(WRITER).close();
    }

    @Test
    void locksWithAMinimumTimeStayTakenInTheirModeUntilTheLastOnesTimeHasPassed() throws Exception {
        locker.getLock(READER.holdAtLeast(Duration.ofSeconds(10))).close();
        onTheOtherThread(() -> {
            locker.getLock(READER.holdAtLeast(Duration.ofSeconds(20))).close();
            return true;
        });
        assertThat(locker.heldLocks()).isZero();
        try (RemoteLock reader = locker.getLock(READER)) {
            assertThat(reader.isHeld()).isTrue();
        }
        now.addAndGet(Duration.ofSeconds(11).toNanos());
        assertThat(locker.tryGetLock(WRITER)).as("after the shorter time").isEmpty();
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(locker.tryGetLock(WRITER)).as("after the longer time").isPresent();
    }

    @Test
    void endOfTheLockerLeavesEveryLockThatHasToStayTaken() throws Exception {
        LockRequest request = READER.holdAtLeast(Duration.ofHours(1));
        RemoteLock one = locker.getLock(request);
        RemoteLock other = onTheOtherThread(() -> locker.getLock(request));
        one.close();
        other.close();
        locker.close(Duration.ZERO);
        assertThat(algorithm.left).containsExactlyInAnyOrder(one.getThreadId(), other.getThreadId());
    }

    @Test
    void loseAllMeansAllHoldersOfALock() throws Exception {
        RemoteLock one = locker.getLock(READER);
        RemoteLock other = onTheOtherThread(() -> locker.getLock(READER));
        locker.restored();
        assertThat(one.isHeld()).isFalse();
        assertThat(other.isHeld()).isFalse();
        assertThat(locker.figures().losses()).containsEntry(LockLoss.Reason.RESTORED, 2L);
    }

    @Test
    void logNamesModesOtherThanExclusive() {
        Logger log = (Logger) LoggerFactory.getLogger(CallObserver.class.getPackageName());
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.DEBUG);
        try {
            RemoteLock reader = locker.getLock(READER);
            assertThat(locker.tryGetLock(LockRequest.of("k").mode(LockMode.PROTECTED_WRITE)))
                    .isEmpty();
            reader.close();
            locker.getLock(WRITER).close();
        } finally {
            log.setLevel(null);
            log.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(line -> line.getFormattedMessage().replaceAll("(by|to) [^ ,]+", "$1 x"))
                .containsExactly(
                        "Lock 'k': requested in mode PROTECTED_READ by x",
                        "Lock 'k': granted in mode PROTECTED_READ to x after 0 s",
                        "Lock 'k': tried in mode PROTECTED_WRITE by x",
                        "Lock 'k': refused in mode PROTECTED_WRITE to x, because it is taken",
                        "Lock 'k': closed by x after 0 s in mode PROTECTED_READ",
                        "Lock 'k': requested by x",
                        "Lock 'k': granted to x after 0 s",
                        "Lock 'k': closed by x after 0 s");
    }

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    enum ExclusiveAlgorithm {
        QUEUE("queue", SimulatedAlgorithm.QUEUE),
        SHADOW("shadow", SimulatedAlgorithm.SHADOW),
        MIGRATION_TO_TICKET(
                "migration from queue to ticket", SimulatedAlgorithm.QUEUE.migratingTo(SimulatedAlgorithm.TICKET)),
        MIGRATION_FROM_TICKET(
                "migration from ticket to shadow", SimulatedAlgorithm.TICKET.migratingTo(SimulatedAlgorithm.SHADOW));

        private final String title;
        private final SimulatedAlgorithm simulated;

        ExclusiveAlgorithm(String title, SimulatedAlgorithm simulated) {
            this.title = title;
            this.simulated = simulated;
        }

        LockAlgorithm created() {
            return new FleetWorld(4711, false, List.of(simulated))
                    .members()
                    .get(0)
                    .algorithm();
        }
    }

    @ParameterizedTest
    @EnumSource
    void algorithmThatIsExclusiveRefusesOtherModesBeforeAnythingIsAskedFor(ExclusiveAlgorithm exclusive) {
        List<String> asked = new ArrayList<>();
        CallObserver observer = (request, threadId, waits) -> {
            asked.add(request.getLockId());
            return CallObserver.Call.UNOBSERVED;
        };
        AlgorithmLocker refusing = new AlgorithmLocker(
                exclusive.created(),
                LEASE,
                Ticker.system(),
                timers,
                List.of(),
                () -> observer,
                CallbackThreads.create(),
                Optional::empty,
                AbandonedPolicy.WARN);
        MultiLockRequest several = MultiLockRequest.ofAll(List.of(LockRequest.of("a"), READER));
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> refusing.getLock(READER),
                () -> refusing.getLock(READER, BOUND),
                () -> refusing.tryGetLock(READER),
                () -> refusing.getLockAsync(READER),
                () -> refusing.getLockAsync(READER, BOUND),
                () -> refusing.tryGetLockAsync(READER),
                () -> refusing.getLocks(several),
                () -> refusing.getLocks(several, BOUND),
                () -> refusing.tryGetLocks(several),
                () -> refusing.getLocksAsync(several),
                () -> refusing.getLocksAsync(several, BOUND),
                () -> refusing.tryGetLocksAsync(several))) {
            assertThatThrownBy(call)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Lock 'k'")
                    .hasMessageContaining("mode PROTECTED_READ")
                    .hasMessageContaining("'" + exclusive.title + "'")
                    .hasMessageContaining(
                            "mode EXCLUSIVE, or move all instances to the algorithm 'ticket', in the steps");
        }
        assertThatThrownBy(() -> refusing.getLocks(MultiLockRequest.ofPath(LockPath.of("bank", "42"))))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(
                        "A path needs other modes than EXCLUSIVE for what is above it: request locks by their ids");
        assertThat(asked).isEmpty();
        refusing.closeAsync();
    }

    @ParameterizedTest
    @EnumSource
    void algorithmThatIsExclusiveRefusesOtherModesItself(ExclusiveAlgorithm exclusive) {
        LockAlgorithm created = exclusive.created();
        for (LockMode mode : LockMode.values()) {
            assertThat(created.supports(mode)).isEqualTo(mode == EXCLUSIVE);
            if (mode != EXCLUSIVE) {
                assertThatThrownBy(() ->
                                created.acquire(AcquireRequest.waits("k", "me").in(mode)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("'k' in mode " + mode);
                assertThatThrownBy(() ->
                                created.acquire(AcquireRequest.tries("k", "me").in(mode)))
                        .isInstanceOf(UnsupportedOperationException.class);
            }
        }
    }

    @Test
    void waitingWriterIsGrantedWhenTheLastReaderHasLeft() throws Exception {
        RemoteLock one = locker.getLock(READER);
        RemoteLock other = onTheOtherThread(() -> locker.getLock(READER));
        CompletableFuture<RemoteLock> writer = locker.getLockAsync(WRITER);
        one.close();
        assertThat(writer).isNotDone();
        other.close();
        await().atMost(BOUND).until(writer::isDone);
        assertThat(writer.join().getMode()).isEqualTo(EXCLUSIVE);
    }
}

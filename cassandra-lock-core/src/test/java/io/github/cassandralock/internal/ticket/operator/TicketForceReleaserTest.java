package io.github.cassandralock.internal.ticket.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.inspect.QueueEntry.Place;
import io.github.cassandralock.inspect.SessionInfo;
import io.github.cassandralock.internal.inspect.ForceReleaseOutcome;
import io.github.cassandralock.internal.inspect.ForceReleaseRequest;
import io.github.cassandralock.internal.inspect.ForceReleaseRequestStore;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * How a lock is force-released: the request, the look for requests, and what the holder hears. In simulated time. That the protocol
 * bears it is the simulation's to show.
 */
class TicketForceReleaserTest {

    private static final String LOCK = "lock";
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final SessionSettings SESSIONS = new SessionSettings(LEASE, 0.05);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final InstantStore store = new InstantStore(time);
    private final AtomicLong ids = new AtomicLong();
    private final TicketAlgorithm algorithm = new TicketAlgorithm(
            store,
            new SessionContext(store, SESSIONS, process, process, () -> new UUID(0, ids.incrementAndGet()), "test"),
            TicketSettings.of(Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250))),
            process);
    private final Requests requests = new Requests();
    private final Seen seen = new Seen();
    private final TicketForceReleaser releaser = new TicketForceReleaser(
            () -> Optional.of(new TicketForceReleaser.Means(algorithm, seen, requests)), SESSIONS, process);

    private static final class Requests implements ForceReleaseRequestStore {

        private final Map<UUID, List<ForceReleaseRequest>> bySession = new HashMap<>();
        private Duration ttl = Duration.ZERO;
        private boolean failing;
        private int looks;

        @Override
        public CompletionStage<WriteOutcome> add(UUID session, ForceReleaseRequest request, Duration life) {
            ttl = life;
            if (failing) {
                return CompletableFuture.completedFuture(new WriteOutcome.Unknown(new IllegalStateException("down")));
            }
            bySession.computeIfAbsent(session, none -> new ArrayList<>()).add(request);
            return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
        }

        @Override
        public CompletionStage<List<ForceReleaseRequest>> requestsTo(UUID session) {
            looks++;
            if (failing) {
                throw new IllegalStateException("down");
            }
            return CompletableFuture.completedFuture(bySession.getOrDefault(session, List.of()));
        }
    }

    /** What the rows show. */
    private static final class Seen implements LockInspection {

        private List<QueueEntry> holders = List.of();
        private int holderCount;
        private List<SessionInfo> sessions = List.of();

        @Override
        public CompletionStage<LockState> inspect(String lockId) {
            return CompletableFuture.completedFuture(new LockState(
                    lockId,
                    "ticket",
                    holders,
                    Math.max(holderCount, holders.size()),
                    List.of(),
                    0,
                    OptionalLong.empty(),
                    sessions,
                    Optional.empty()));
        }

        @Override
        public CompletionStage<List<SessionInfo>> sessions() {
            return CompletableFuture.completedFuture(sessions);
        }

        @Override
        public Optional<UUID> ownSession() {
            return Optional.empty();
        }
    }

    private static QueueEntry entry(UUID session, long attempt, boolean own) {
        return new QueueEntry(
                Place.HOLDER,
                LockMode.EXCLUSIVE,
                ProcessOwner.ofSession("other-1"),
                Optional.of(session),
                Optional.empty(),
                OptionalLong.of(attempt),
                OptionalLong.of(1),
                Optional.empty(),
                own);
    }

    private Grant hold() {
        return algorithm
                .acquire(AcquireRequest.waits(LOCK, "thread"))
                .getOutcome()
                .toCompletableFuture()
                .join()
                .orElseThrow();
    }

    private Slot slot() {
        return store.slot(LOCK).orElseThrow();
    }

    private static ForceReleaseOutcome.Begun begun(ForceReleaseOutcome outcome) {
        return (ForceReleaseOutcome.Begun) outcome;
    }

    private static SessionInfo session(UUID id, Duration lease) {
        return new SessionInfo(id, ProcessOwner.UNKNOWN, true, 1, lease, Optional.empty(), Optional.empty(), false);
    }

    private ForceReleaseOutcome forceRelease() {
        return releaser.forceRelease(LOCK, Optional.empty(), "ann at host-7")
                .toCompletableFuture()
                .join();
    }

    @Test
    void holderInThisProcessHearsItAtOnceAndTheLockIsFree() {
        Grant grant = hold();
        seen.holders = List.of(entry(slot().session(), slot().attempt(), true));
        ForceReleaseOutcome.Begun begun = begun(forceRelease());
        assertThat(begun.told()).hasSize(1);
        assertThat(begun.asked()).isEmpty();
        assertThat(begun.within()).isZero();
        assertThat(grant.isValid()).isFalse();
        assertThat(grant.getLoss().toCompletableFuture())
                .isCompletedWithValue(new LockLoss(
                        LockLoss.Reason.FORCE_RELEASED, "it was force-released at the request of ann at host-7"));
        assertThat(store.slot(LOCK)).isEmpty();
        assertThat(requests.bySession).isEmpty();
    }

    @Test
    void releaseByAHolderWhoseLockWasBrokenReleasesNotTheNextHoldersLock() {
        Grant broken = hold();
        algorithm.forceRelease(LOCK, slot().session(), slot().attempt(), new LockLoss(LockLoss.Reason.OTHER, "broken"));
        Grant next = hold();
        broken.release();
        time.run(Duration.ofSeconds(1));
        assertThat(next.isValid()).isTrue();
        assertThat(store.slot(LOCK)).isPresent();
    }

    /** Nobody works under it any more, but it keeps others out. */
    @Test
    void lockThatStaysTakenForAMinimumTimeIsFreeWhenItIsBroken() {
        try (AlgorithmLocker locker = new AlgorithmLocker(algorithm, LEASE, process, process, List.of())) {
            locker.getLock(LockRequest.of(LOCK).holdAtLeast(Duration.ofDays(1))).close();
            assertThat(locker.tryGetLock(LOCK)).isEmpty();
            algorithm.forceRelease(
                    LOCK, slot().session(), slot().attempt(), new LockLoss(LockLoss.Reason.OTHER, "broken"));
            assertThat(locker.tryGetLock(LOCK)).isPresent();
        }
    }

    @Test
    void waiterOfTheSameProcessGetsTheBrokenLockWithALaterAttempt() {
        hold();
        long attempt = slot().attempt();
        CompletableFuture<Optional<Grant>> waiter = algorithm
                .acquire(AcquireRequest.waits(LOCK, "other"))
                .getOutcome()
                .toCompletableFuture();
        algorithm.forceRelease(LOCK, slot().session(), attempt, new LockLoss(LockLoss.Reason.OTHER, "broken"));
        time.run(Duration.ofSeconds(1));
        assertThat(waiter.join().orElseThrow().isValid()).isTrue();
        assertThat(slot().attempt()).isGreaterThan(attempt);
    }

    @Test
    void processOfTheHolderIsAskedAndObeysWithinAThirdOfItsLease() {
        Grant grant = hold();
        UUID session = slot().session();
        releaser.start();
        seen.holders = List.of(entry(session, slot().attempt(), false));
        assertThat(begun(forceRelease()).asked()).hasSize(1);
        assertThat(grant.isValid()).isTrue();
        time.run(LEASE.dividedBy(3).plusMillis(10));
        assertThat(grant.isValid()).isFalse();
        assertThat(store.slot(LOCK)).isEmpty();
    }

    @Test
    void requestForAnAttemptThatIsOverReleasesNothing() {
        hold().release();
        Grant later = hold();
        requests.add(slot().session(), new ForceReleaseRequest(LOCK, slot().attempt() - 1, "ann"), LEASE);
        releaser.start();
        time.run(LEASE);
        assertThat(later.isValid()).isTrue();
    }

    @Test
    void requestIsKeptForALeaseOfTheHoldersSession() {
        UUID session = new UUID(9, 9);
        seen.holders = List.of(entry(session, 3, false));
        seen.sessions = List.of(session(session, Duration.ofMinutes(30)));
        assertThat(begun(forceRelease()).within()).isEqualTo(Duration.ofMinutes(10));
        assertThat(requests.ttl).isEqualTo(Duration.ofMinutes(30));
        assertThat(requests.bySession.get(session)).containsExactly(new ForceReleaseRequest(LOCK, 3, "ann at host-7"));
    }

    @Test
    void everyHolderLosesALockThatSeveralHold() {
        Grant grant = hold();
        QueueEntry here = entry(slot().session(), slot().attempt(), true);
        QueueEntry there = entry(new UUID(9, 1), 3, false);
        QueueEntry alsoThere = entry(new UUID(9, 2), 4, false);
        seen.holders = List.of(there, here, alsoThere);
        seen.sessions = List.of(session(new UUID(9, 1), LEASE), session(new UUID(9, 2), LEASE.multipliedBy(2)));
        ForceReleaseOutcome.Begun begun = begun(forceRelease());
        assertThat(grant.isValid()).isFalse();
        assertThat(begun.told()).containsExactly(here);
        assertThat(begun.asked()).containsExactly(there, alsoThere);
        assertThat(begun.within())
                .as("the longest")
                .isEqualTo(LEASE.multipliedBy(2).dividedBy(3));
        assertThat(begun.others()).isZero();
        assertThat(requests.bySession).containsOnlyKeys(new UUID(9, 1), new UUID(9, 2));
    }

    @Test
    void twoSlotsOfOneSessionAreTwoRequests() {
        UUID session = new UUID(9, 1);
        seen.holders = List.of(entry(session, 3, false), entry(session, 8, false));
        forceRelease();
        assertThat(requests.bySession.get(session))
                .extracting(ForceReleaseRequest::attempt)
                .containsExactly(3L, 8L);
    }

    @Test
    void onlyTheHoldersOfTheSessionThatIsNamedLoseTheLock() {
        UUID session = new UUID(9, 1);
        seen.holders = List.of(entry(session, 3, false), entry(new UUID(9, 2), 4, false));
        ForceReleaseOutcome.Begun begun = begun(releaser.forceRelease(LOCK, Optional.of(session), "ann")
                .toCompletableFuture()
                .join());
        assertThat(requests.bySession).containsOnlyKeys(session);
        assertThat(begun.others()).as("who keep the lock").isOne();
        assertThat(releaser.forceRelease(LOCK, Optional.of(new UUID(9, 3)), "ann")
                        .toCompletableFuture())
                .isCompletedWithValue(new ForceReleaseOutcome.NotHeld());
    }

    @Test
    void holdersThatWereNotReadAreCounted() {
        seen.holders = List.of(entry(new UUID(9, 1), 3, false));
        seen.holderCount = 5;
        assertThat(begun(forceRelease()).others()).isEqualTo(4);
    }

    @Test
    void nothingIsAskedIfNobodyHoldsTheLock() {
        assertThat(forceRelease()).isInstanceOf(ForceReleaseOutcome.NotHeld.class);
        assertThat(requests.bySession).isEmpty();
    }

    @Test
    void requestThatWasNotAcknowledgedFailsTheCall() {
        seen.holders = List.of(entry(new UUID(9, 9), 3, false));
        requests.failing = true;
        assertThat(releaser.forceRelease(LOCK, Optional.empty(), "ann").toCompletableFuture())
                .isCompletedExceptionally();
    }

    @Test
    void looksGoOnAfterAFailureAndEndWithTheReleaser() {
        Grant grant = hold();
        requests.failing = true;
        releaser.start();
        time.run(LEASE);
        requests.failing = false;
        requests.add(slot().session(), new ForceReleaseRequest(LOCK, slot().attempt(), "ann"), LEASE);
        time.run(LEASE);
        assertThat(grant.isValid()).isFalse();
        releaser.close();
        int looks = requests.looks;
        time.run(LEASE);
        assertThat(requests.looks).isEqualTo(looks);
    }

    @Test
    void releaserWorksOnceTheAlgorithmIsThere() {
        Grant grant = hold();
        AtomicBoolean there = new AtomicBoolean();
        TicketForceReleaser late = new TicketForceReleaser(
                () -> there.get()
                        ? Optional.of(new TicketForceReleaser.Means(algorithm, seen, requests))
                        : Optional.empty(),
                SESSIONS,
                process);
        late.start();
        seen.holders = List.of(entry(slot().session(), slot().attempt(), false));
        assertThat(late.forceRelease(LOCK, Optional.empty(), "ann").toCompletableFuture())
                .isCompletedExceptionally();
        time.run(LEASE);
        there.set(true);
        assertThat(late.forceRelease(LOCK, Optional.empty(), "ann").toCompletableFuture())
                .isCompleted();
        time.run(LEASE);
        assertThat(grant.isValid()).isFalse();
    }

    @Test
    void processWithoutASessionOpensNoneAndAsksNothing() {
        releaser.start();
        time.run(LEASE);
        assertThat(requests.looks).isZero();
        assertThat(algorithm.ownSession()).isEmpty();
    }
}

package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotMode;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the algorithm makes of a store that answers late, or not at all, one case at a time. */
class TicketAlgorithmTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final TicketSettings TERMS =
            TicketSettings.of(Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250)));

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final MoodyStore store = new MoodyStore(time);
    private final AtomicLong ids = new AtomicLong();
    private final SessionContext sessions = new SessionContext(
            store,
            new SessionSettings(LEASE, 0.05),
            process,
            process,
            () -> new UUID(0, ids.incrementAndGet()),
            "test");

    /** Answers at once unless it is told otherwise. */
    private static final class MoodyStore extends InstantStore {

        private final Set<UUID> writers = new LinkedHashSet<>();
        private final List<UUID> opened = new ArrayList<>();
        private CompletableFuture<CasOutcome> opening = CompletableFuture.completedFuture(CasOutcome.APPLIED);
        private boolean reserves = true;
        private long reserved;
        private @Nullable CompletableFuture<WriteOutcome> reservation;
        private List<Slot> others = List.of();
        private final List<UUID> readSessions = new ArrayList<>();
        private int sessionReads;

        MoodyStore(SimulatedTime time) {
            super(time);
        }

        @Override
        public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
            writers.add(slot.session());
            return super.write(lockId, slot, timestamp, ttl);
        }

        @Override
        public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
            reserved = lastToken;
            if (reservation != null) {
                return reservation;
            }
            return reserves
                    ? super.reserve(lockId, lastToken)
                    : CompletableFuture.completedFuture(new WriteOutcome.Unknown(new TimeoutException("no quorum")));
        }

        @Override
        public CompletionStage<LockSlots> read(String lockId) {
            if (others.isEmpty()) {
                OptionalLong last = reserved == 0 ? OptionalLong.empty() : OptionalLong.of(reserved);
                return super.read(lockId).thenApply(read -> new LockSlots(read.slots(), last));
            }
            return CompletableFuture.completedFuture(new LockSlots(others, OptionalLong.empty()));
        }

        @Override
        public CompletionStage<Optional<SessionRow>> read(UUID session) {
            readSessions.add(session);
            sessionReads++;
            return CompletableFuture.completedFuture(
                    Optional.of(SessionRow.alive(new Beat(sessionReads, session), LEASE, 0.05, "another process")));
        }

        @Override
        public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
            opened.add(session);
            return opening;
        }
    }

    private TicketContext context(SessionKeeper keeper) {
        return new TicketContext(
                store,
                keeper,
                new SessionWatch(sessions),
                new HandOverEstimates(),
                sessions.settings(),
                TERMS,
                process,
                process,
                process,
                TicketWarnings.with(process));
    }

    private CompletableFuture<Optional<Grant>> acquire() {
        return new TicketAlgorithm(store, sessions, TERMS, process)
                .acquire("lock", "thread")
                .outcome()
                .toCompletableFuture();
    }

    @Test
    void nothingIsWrittenForASessionWhoseOpeningWasConfirmedAfterItsLease() {
        CompletableFuture<CasOutcome> late = new CompletableFuture<>();
        store.opening = late;
        CompletableFuture<Optional<Grant>> outcome = acquire();
        time.run(LEASE);
        store.opening = CompletableFuture.completedFuture(CasOutcome.APPLIED);
        late.complete(CasOutcome.APPLIED);
        time.run(Duration.ofSeconds(1));
        assertThat(outcome).as("the lock, under a second session").isCompleted();
        assertThat(store.writers).as("sessions that wrote a slot").containsExactly(store.opened.get(1));
    }

    @Test
    void tokenCanBeAskedForAgainAfterItsReservationFailed() {
        Grant grant = acquire().join().orElseThrow();
        store.reserves = false;
        CompletableFuture<Long> failing = grant.fencingToken().toCompletableFuture();
        time.run(LEASE.plusSeconds(1));
        assertThat(failing).as("the token, after a lease without an answer").isCompletedExceptionally();
        assertThat(grant.isValid()).as("the lock, whose session is renewed").isTrue();
        store.reserves = true;
        assertThat(grant.fencingToken().toCompletableFuture()).isCompleted();
    }

    @Test
    void tokenIsNotShownToWhoHasReleasedTheLockBeforeItWasReserved() {
        Grant grant = acquire().join().orElseThrow();
        CompletableFuture<WriteOutcome> late = new CompletableFuture<>();
        store.reservation = late;
        CompletableFuture<Long> token = grant.fencingToken().toCompletableFuture();
        grant.release();
        late.complete(WriteOutcome.APPLIED);
        assertThat(token).isCompletedExceptionally();
    }

    @Test
    void tokenIsNotShownToWhoHasLostTheLockBeforeItWasReserved() {
        TicketAlgorithm algorithm = new TicketAlgorithm(store, sessions, TERMS, process);
        Grant grant = algorithm
                .acquire("lock", "thread")
                .outcome()
                .toCompletableFuture()
                .join()
                .orElseThrow();
        CompletableFuture<WriteOutcome> late = new CompletableFuture<>();
        store.reservation = late;
        CompletableFuture<Long> token = grant.fencingToken().toCompletableFuture();
        algorithm.restored();
        late.complete(WriteOutcome.APPLIED);
        assertThat(token).isCompletedExceptionally();
    }

    /** The time does not go on here, so that the longest tenure never ends by itself. */
    @Test
    void noTokenIsAboveWhatWasReservedHoweverOftenALockIsHandedOver() {
        TicketAlgorithm algorithm = new TicketAlgorithm(store, sessions, TERMS, process);
        List<CompletableFuture<Grant>> grants = IntStream.range(0, 2_500)
                .mapToObj(number -> algorithm
                        .acquire("lock", "thread " + number)
                        .outcome()
                        .toCompletableFuture()
                        .thenApply(Optional::orElseThrow))
                .toList();
        long highest = 0;
        for (CompletableFuture<Grant> next : grants) {
            Grant grant = next.join();
            long token = grant.fencingToken().toCompletableFuture().join();
            assertThat(token)
                    .as("token after %d", highest)
                    .isGreaterThan(highest)
                    .isLessThanOrEqualTo(store.reserved);
            highest = token;
            grant.release();
        }
    }

    @Test
    void queueThatNobodyCameToIsDropped() {
        List<LocalQueue> retired = new ArrayList<>();
        LocalQueue queue =
                new LocalQueue(context(new SessionKeeper(sessions, (session, reason) -> {})), "lock", retired::add);
        Waiter waiter = new Waiter(false, 0, leaving -> {});
        waiter.giveUp();
        queue.enter(waiter, again -> {});
        assertThat(retired).containsExactly(queue);
        assertThat(queue.settled().toCompletableFuture()).isCompleted();
    }

    @Test
    void soughtLockWithTwoHundredInTheWayCostsEightReadsOfSessionsNotTwoHundred() {
        store.others = IntStream.rangeClosed(1, 200)
                .mapToObj(number -> new Slot(new UUID(7, number), 1, SlotPhase.TICKETED, SlotMode.EXCLUSIVE, number))
                .toList();
        TicketAlgorithm algorithm = new TicketAlgorithm(store, sessions, TERMS, process);
        for (int call = 0; call < 10; call++) {
            assertThat(algorithm.tryAcquire("lock", "thread").outcome().toCompletableFuture())
                    .isCompletedWithValue(Optional.empty());
        }
        assertThat(store.sessionReads).as("after ten calls").isEqualTo(8);
        time.run(LEASE);
        assertThat(store.sessionReads)
                .as("after a lease: each was looked at once more, and had been renewed")
                .isEqualTo(16);
    }

    @Test
    void sessionThatFollowsALostOneIsNotWatchedAfterACrashOfAnother() {
        SessionKeeper keeper = new SessionKeeper(sessions, (session, reason) -> {});
        TicketContext context = context(keeper);
        keeper.current();
        BackgroundEviction refusedUnderTheFirst = new BackgroundEviction(context, "lock");
        keeper.renounce("lost");
        UUID present = keeper.current().toCompletableFuture().join().id();
        UUID crashed = new UUID(9, 1);
        UUID third = new UUID(9, 2);
        store.others = Stream.of(crashed, present, third)
                .map(session -> new Slot(session, 1, SlotPhase.TICKETED, SlotMode.EXCLUSIVE, 1))
                .toList();
        refusedUnderTheFirst.dead(new DeadSession(crashed, "crashed", LEASE));
        assertThat(store.readSessions).as("sessions that are watched").containsExactly(third);
    }

    @Test
    void attemptThatBeginsAfterTheEndFailsAtOnce() {
        TicketAlgorithm algorithm = new TicketAlgorithm(store, sessions, TERMS, process);
        algorithm.closeAsync();
        assertThat(algorithm.acquire("lock", "thread").outcome().toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(store.opened).as("sessions opened").isEmpty();
    }

    @Test
    void tenThousandThatWaitForOneSessionToOpenAllGetTheirLocks() {
        CompletableFuture<CasOutcome> late = new CompletableFuture<>();
        store.opening = late;
        TicketAlgorithm algorithm = new TicketAlgorithm(store, sessions, TERMS, process);
        List<CompletableFuture<Optional<Grant>>> outcomes = IntStream.range(0, 10_000)
                .mapToObj(number ->
                        algorithm.acquire("lock " + number, "thread").outcome().toCompletableFuture())
                .toList();
        late.complete(CasOutcome.APPLIED);
        assertThat(outcomes.stream().filter(outcome -> !outcome.isDone()).count())
                .as("attempts that nobody answered")
                .isZero();
    }

    @Test
    void attemptWithoutTimersEndsInsteadOfOpeningSessionAfterSession() {
        SessionContext withoutTimers = new SessionContext(
                store,
                sessions.settings(),
                process,
                delay -> CompletableFuture.failedFuture(new IllegalStateException("shut down")),
                UUID::randomUUID,
                "test");
        CompletableFuture<Optional<Grant>> outcome = new TicketAlgorithm(store, withoutTimers, TERMS, process)
                .acquire("lock", "thread")
                .outcome()
                .toCompletableFuture();
        assertThat(outcome).isCompletedExceptionally();
        assertThat(store.opened).as("sessions opened").hasSize(1);
    }
}

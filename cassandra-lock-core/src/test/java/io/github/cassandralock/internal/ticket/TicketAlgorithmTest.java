package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.OwnSession;
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
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.threads.Leftovers;
import io.github.cassandralock.internal.ticket.attempt.BackgroundEviction;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.HandOverEstimates;
import io.github.cassandralock.internal.ticket.process.NoticeHealth;
import io.github.cassandralock.internal.ticket.process.RecentReleases;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.process.TicketWarnings;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How the algorithm reacts to a store that answers late or not at all. Each test has one case. */
class TicketAlgorithmTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final TicketSettings TERMS =
            TicketSettings.of(Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250)));

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final ScriptedStore store = new ScriptedStore(time);
    private final AtomicLong ids = new AtomicLong();
    private final SessionContext sessions = new SessionContext(
            store,
            new SessionSettings(LEASE, 0.05),
            process,
            process,
            () -> new UUID(0, ids.incrementAndGet()),
            "test");

    /** Answers at once unless the test has set another answer. */
    private static final class ScriptedStore extends InstantStore {

        private final Set<UUID> writers = new LinkedHashSet<>();
        private final List<UUID> opened = new ArrayList<>();
        private CompletableFuture<CasOutcome> opening = CompletableFuture.completedFuture(CasOutcome.APPLIED);
        private boolean reserves = true;
        private long reserved;
        private @Nullable CompletableFuture<WriteOutcome> reservation;
        private @Nullable CompletableFuture<WriteOutcome> releasing;
        private List<Slot> others = List.of();
        private final List<UUID> readSessions = new ArrayList<>();
        private int sessionReads;
        private int declaredDead;
        private boolean showsOwnSlots = true;
        private final List<Slot> written = new ArrayList<>();
        private Consumer<Slot> beforeAWrite = slot -> {};
        private Function<Slot, Optional<WriteOutcome>> answers = slot -> Optional.empty();

        ScriptedStore(SimulatedTime time) {
            super(time);
        }

        @Override
        public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
            writers.add(slot.session());
            written.add(slot);
            beforeAWrite.accept(slot);
            if (releasing != null && slot.phase() == SlotPhase.IDLE) {
                return releasing;
            }
            Optional<WriteOutcome> answer = answers.apply(slot);
            return answer.isPresent()
                    ? CompletableFuture.completedFuture(answer.get())
                    : super.write(lockId, slot, timestamp, ttl);
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
            OptionalLong last = reserved == 0 ? OptionalLong.empty() : OptionalLong.of(reserved);
            return super.read(lockId)
                    .thenApply(read -> new LockSlots(
                            Stream.concat(others.stream(), showsOwnSlots ? read.slots().stream() : Stream.empty())
                                    .toList(),
                            last));
        }

        @Override
        public CompletionStage<Optional<SessionRow>> read(UUID session) {
            readSessions.add(session);
            sessionReads++;
            return CompletableFuture.completedFuture(
                    Optional.of(SessionRow.alive(new Beat(sessionReads, session), LEASE, 0.05, "another process")));
        }

        @Override
        public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
            declaredDead++;
            return super.declareDead(session, last, ttl);
        }

        long written(SlotPhase phase) {
            return written.stream().filter(slot -> slot.phase() == phase).count();
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
                NoticeChannel.OFF,
                new NoticeHealth(),
                new HandOverEstimates(),
                new RecentReleases(Duration.ZERO),
                sessions.settings(),
                TERMS,
                process,
                process,
                process,
                TicketWarnings.with(process),
                sessions.counters());
    }

    private static Slot other(SlotPhase phase, long ticket) {
        return new Slot(new SlotId(new UUID(7, 1), 0), 1, phase, LockMode.EXCLUSIVE, ticket);
    }

    private static Optional<WriteOutcome> unacknowledged() {
        return Optional.of(new WriteOutcome.Unknown(new TimeoutException("no quorum")));
    }

    private TicketAlgorithm algorithm() {
        return new TicketAlgorithm(store, sessions, TERMS, process);
    }

    private static CompletableFuture<Optional<Grant>> outcome(Attempt attempt) {
        return attempt.outcome().toCompletableFuture();
    }

    private static Grant granted(Attempt attempt) {
        return outcome(attempt).getNow(Optional.empty()).orElseThrow();
    }

    private CompletableFuture<Optional<Grant>> acquire() {
        return outcome(algorithm().acquire(AcquireRequest.waits("lock", "thread")));
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
    void holderLearnsOfAThreadOfItsProcessThatWaitsWithoutAnOperation() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "holder")));
        CompletableFuture<Void> early = grant.contended().toCompletableFuture();
        assertThat(algorithm.acquire(AcquireRequest.tries("lock", "tries")).outcome())
                .as("a try")
                .isCompletedWithValue(Optional.empty());
        assertThat(early).as("before anybody waits").isNotDone();
        algorithm.acquire(AcquireRequest.waits("lock", "waits"));
        assertThat(early).as("when a thread waits").isCompleted();
        assertThat(grant.contended().toCompletableFuture())
                .as("asked for later")
                .isCompleted();
    }

    @Test
    void holderLearnsOfAnotherProcessByALookEveryThirdOfALease() {
        Grant grant = granted(algorithm().acquire(AcquireRequest.waits("lock", "holder")));
        CompletableFuture<Void> contended = grant.contended().toCompletableFuture();
        time.run(LEASE);
        assertThat(contended).as("while nobody waits").isNotDone();
        store.others = List.of(other(SlotPhase.CHOOSING, 0));
        time.run(LEASE.dividedBy(3));
        assertThat(contended).as("after a look").isCompleted();
    }

    @Test
    void nobodyLooksForContentionOfALockThatWasReleased() {
        Grant grant = granted(algorithm().acquire(AcquireRequest.waits("lock", "holder")));
        CompletableFuture<Void> contended = grant.contended().toCompletableFuture();
        grant.release();
        store.others = List.of(other(SlotPhase.TICKETED, 7));
        time.run(LEASE);
        assertThat(contended).isNotDone();
        assertThat(grant.contended().toCompletableFuture())
                .as("asked for after the release")
                .isNotDone();
    }

    /** Locks that are taken often would leave a timer each, with all that it holds in memory. */
    @Test
    void releasedLockLeavesNoTimerThatLooksForContention() {
        List<CompletableFuture<Void>> timers = new ArrayList<>();
        SessionContext notingTimers = new SessionContext(
                store,
                sessions.settings(),
                process,
                delay -> {
                    CompletableFuture<Void> timer = process.after(delay);
                    timers.add(timer);
                    return timer;
                },
                UUID::randomUUID,
                "test");
        Grant grant = granted(new TicketAlgorithm(store, notingTimers, TERMS, process)
                .acquire(AcquireRequest.waits("lock", "holder")));
        timers.clear();
        grant.contended();
        assertThat(timers).as("timers until a look").hasSize(1).noneMatch(CompletableFuture::isDone);
        grant.release();
        assertThat(timers).as("after the release").allMatch(CompletableFuture::isDone);
    }

    @Test
    void tokenIsNotShownIfTheLockWasReleasedBeforeTheReservation() {
        Grant grant = acquire().join().orElseThrow();
        CompletableFuture<WriteOutcome> late = new CompletableFuture<>();
        store.reservation = late;
        CompletableFuture<Long> token = grant.fencingToken().toCompletableFuture();
        grant.release();
        late.complete(WriteOutcome.APPLIED);
        assertThat(token).isCompletedExceptionally();
    }

    @Test
    void tokenIsNotShownIfTheLockWasLostBeforeTheReservation() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = algorithm
                .acquire(AcquireRequest.waits("lock", "thread"))
                .outcome()
                .toCompletableFuture()
                .join()
                .orElseThrow();
        CompletableFuture<WriteOutcome> late = new CompletableFuture<>();
        store.reservation = late;
        CompletableFuture<Long> token = grant.fencingToken().toCompletableFuture();
        algorithm.abandonAll("the process was restored from a checkpoint");
        late.complete(WriteOutcome.APPLIED);
        assertThat(token).isCompletedExceptionally();
    }

    /** The clock does not move here, so the hold does not end because of its duration. */
    @Test
    void noTokenIsHigherThanTheReservationHoweverOftenALockIsHandedOver() {
        TicketAlgorithm algorithm = algorithm();
        List<CompletableFuture<Grant>> grants = IntStream.range(0, 2_500)
                .mapToObj(number -> algorithm
                        .acquire(AcquireRequest.waits("lock", "thread " + number))
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
    void queueWhoseOnlyWaiterGaveUpIsDropped() {
        List<LockActor> retired = new ArrayList<>();
        LockActor actor = new LockActor(
                new LockActor.Environment(
                        context(new SessionKeeper(sessions, (session, reason) -> {})), Optional.empty(), retired::add),
                "lock");
        TicketRequest waiter = new TicketRequest(LockMode.EXCLUSIVE, false, null, 0, leaving -> {});
        waiter.giveUp();
        actor.arrived(waiter, again -> {});
        assertThat(retired).containsExactly(actor);
        assertThat(actor.closeAsked().toCompletableFuture()).isCompleted();
    }

    @Test
    void eachOfTwoClosingsEndsWhenTheLockThatIsHeldIsReleased() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = algorithm
                .acquire(AcquireRequest.waits("lock", "thread"))
                .outcome()
                .toCompletableFuture()
                .join()
                .orElseThrow();
        CompletableFuture<Void> first = algorithm.closeAsync().toCompletableFuture();
        CompletableFuture<Void> second = algorithm.closeAsync().toCompletableFuture();
        assertThat(first).isNotCompleted();
        grant.release();
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    @Test
    void refusedTriesBehindTwoHundredSlotsReadEightSessionsNotTwoHundred() {
        store.others = IntStream.rangeClosed(1, 200)
                .mapToObj(number ->
                        new Slot(new SlotId(new UUID(7, number), 0), 1, SlotPhase.TICKETED, LockMode.EXCLUSIVE, number))
                .toList();
        TicketAlgorithm algorithm = algorithm();
        for (int call = 0; call < 10; call++) {
            assertThat(algorithm
                            .acquire(AcquireRequest.tries("lock", "thread"))
                            .outcome()
                            .toCompletableFuture())
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
        keeper.abandonAll("lost");
        UUID present = keeper.current().toCompletableFuture().join().id();
        UUID crashed = new UUID(9, 1);
        UUID third = new UUID(9, 2);
        store.others = Stream.of(crashed, present, third)
                .map(session -> new Slot(new SlotId(session, 0), 1, SlotPhase.TICKETED, LockMode.EXCLUSIVE, 1))
                .toList();
        refusedUnderTheFirst.dead(new DeadSession(crashed, "crashed", LEASE));
        assertThat(store.readSessions).as("sessions that are watched").containsExactly(third);
    }

    @Test
    void attemptThatBeginsAfterTheEndFailsAtOnce() {
        TicketAlgorithm algorithm = algorithm();
        algorithm.closeAsync();
        assertThat(algorithm
                        .acquire(AcquireRequest.waits("lock", "thread"))
                        .outcome()
                        .toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(store.opened).as("sessions opened").isEmpty();
    }

    @Test
    void tenThousandCallsThatWaitForTheSessionToOpenAllGetTheirLocks() {
        CompletableFuture<CasOutcome> late = new CompletableFuture<>();
        store.opening = late;
        TicketAlgorithm algorithm = algorithm();
        List<CompletableFuture<Optional<Grant>>> outcomes = IntStream.range(0, 10_000)
                .mapToObj(number -> algorithm
                        .acquire(AcquireRequest.waits("lock " + number, "thread"))
                        .outcome()
                        .toCompletableFuture())
                .toList();
        late.complete(CasOutcome.APPLIED);
        assertThat(outcomes.stream().filter(outcome -> !outcome.isDone()).count())
                .as("attempts without an outcome")
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
                .acquire(AcquireRequest.waits("lock", "thread"))
                .outcome()
                .toCompletableFuture();
        assertThat(outcome).isCompletedExceptionally();
        assertThat(store.opened).as("sessions opened").hasSize(1);
    }

    @Test
    void waiterThatGivesUpGetsItsAnswerReleasesItsSlotAndEndsItsWatch() {
        store.others = List.of(other(SlotPhase.TICKETED, 1));
        Attempt waiter = algorithm().acquire(AcquireRequest.waits("lock", "thread"));
        time.run(LEASE);
        assertThat(store.wanted()).as("slots, while it waits").isEqualTo(1);
        waiter.giveUp();
        assertThat(outcome(waiter)).isCompletedExceptionally();
        assertThat(store.wanted()).as("slots, after it").isZero();
        int reads = store.sessionReads;
        assertThat(reads).isPositive();
        time.run(LEASE.multipliedBy(2));
        assertThat(store.sessionReads)
                .as("looks at the session ahead, of which one more shows that it lives")
                .isEqualTo(reads + 1);
    }

    @Test
    void waiterThatGivesUpLeavesItsPlaceToTheWaitersBehindIt() {
        store.others = List.of(other(SlotPhase.TICKETED, 1));
        TicketAlgorithm algorithm = algorithm();
        Attempt first = algorithm.acquire(AcquireRequest.waits("lock", "first"));
        Attempt second = algorithm.acquire(AcquireRequest.waits("lock", "second"));
        time.run(Duration.ofSeconds(1));
        first.giveUp();
        store.others = List.of();
        time.run(Duration.ofSeconds(1));
        assertThat(granted(second).isValid()).isTrue();
        assertThat(store.written(SlotPhase.CHOOSING)).as("attempts").isEqualTo(1);
    }

    @Test
    void softCallThatGivesUpDoesNotRefuseTheWaitersBehindIt() {
        CompletableFuture<CasOutcome> late = new CompletableFuture<>();
        store.opening = late;
        store.others = List.of(other(SlotPhase.TICKETED, 1));
        TicketAlgorithm algorithm = algorithm();
        Attempt soft = algorithm.acquire(AcquireRequest.tries("lock", "soft"));
        Attempt mandatory = algorithm.acquire(AcquireRequest.waits("lock", "mandatory"));
        soft.giveUp();
        late.complete(CasOutcome.APPLIED);
        time.run(Duration.ofSeconds(1));
        assertThat(outcome(mandatory)).as("still waits").isNotDone();
    }

    @Test
    void releaseWithoutAnAcknowledgementEndsWithItsSession() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> unacknowledged();
        grant.release();
        assertThat(Leftovers.in(algorithm, "actors")).isEqualTo(1);
        algorithm.abandonAll("the process was restored from a checkpoint");
        assertThat(Leftovers.in(algorithm, "actors")).isZero();
    }

    @Test
    void waitersThatHaveWaitedForALeaseFailWithTheFirstOneAndLaterOnesWait() {
        store.opening = CompletableFuture.failedFuture(new TimeoutException("no answer"));
        TicketAlgorithm algorithm = algorithm();
        Attempt front = algorithm.acquire(AcquireRequest.waits("lock", "front"));
        Attempt second = algorithm.acquire(AcquireRequest.waits("lock", "second"));
        time.run(Duration.ofSeconds(10));
        Attempt late = algorithm.acquire(AcquireRequest.waits("lock", "late"));
        time.run(Duration.ofSeconds(6));
        assertThat(outcome(front)).isCompletedExceptionally();
        assertThat(outcome(second)).isCompletedExceptionally();
        assertThat(outcome(late)).isNotDone();
    }

    @Test
    void slotOfALockThatIsHeldForHoursIsWrittenAgainEveryNineteenMinutes() {
        Grant grant = granted(algorithm().acquire(AcquireRequest.waits("lock", "thread")));
        time.run(Duration.ofHours(3));
        assertThat(grant.isValid()).isTrue();
        assertThat(store.written).as("W1 and what followed").hasSizeBetween(9, 11);
    }

    @Test
    void slotOfAWaiterIsWrittenAgainToo() {
        store.others = List.of(other(SlotPhase.TICKETED, 1));
        Attempt waiter = algorithm().acquire(AcquireRequest.waits("lock", "thread"));
        time.run(Duration.ofHours(2));
        store.others = List.of();
        time.run(Duration.ofSeconds(1));
        assertThat(granted(waiter).isValid()).isTrue();
        assertThat(store.written.stream().map(Slot::attempt).distinct()).hasSize(1);
    }

    @Test
    void refreshThatIsNotAcknowledgedIsRepeatedAfterAPause() {
        algorithm().acquire(AcquireRequest.waits("lock", "thread"));
        store.answers = slot -> {
            store.answers = again -> Optional.empty();
            return unacknowledged();
        };
        time.run(Duration.ofMinutes(20));
        assertThat(store.written).as("W1, a refresh, and the same again").hasSize(3);
    }

    @Test
    void lockWhoseSlotMayExpireBecauseNoRefreshIsAcknowledgedIsLost() {
        Grant grant = granted(algorithm().acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> unacknowledged();
        time.run(Duration.ofMinutes(50));
        assertThat(grant.isValid()).isTrue();
        time.run(Duration.ofMinutes(2));
        assertThat(grant.isValid()).isFalse();
        assertThat(grant.lost().toCompletableFuture())
                .isCompletedWithValueMatching(reason -> reason.contains("may have expired"));
    }

    @Test
    void releaseThatIsNotAcknowledgedIsRepeatedAndBlocksNoCaller() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> {
            store.answers = again -> Optional.empty();
            return unacknowledged();
        };
        assertThat(grant.release().toCompletableFuture()).isCompleted();
        assertThat(store.wanted()).as("slots, after the first try").isEqualTo(1);
        time.run(Duration.ofSeconds(1));
        assertThat(store.wanted()).as("slots, after the second one").isZero();
        assertThat(Leftovers.in(algorithm, "actors")).isZero();
        assertThat(store.written(SlotPhase.IDLE)).isEqualTo(2);
    }

    @Test
    void releaseOfALockThatIsRequestedHereEndsWithTheFirstTryOfItsWrite() {
        TicketAlgorithm algorithm = algorithm();
        Grant reader =
                granted(algorithm.acquire(AcquireRequest.waits("lock", "reads").in(LockMode.PROTECTED_READ)));
        algorithm.acquire(AcquireRequest.waits("lock", "writes"));
        CompletableFuture<WriteOutcome> idle = new CompletableFuture<>();
        store.releasing = idle;
        CompletableFuture<Void> released = reader.release().toCompletableFuture();
        assertThat(released).as("before the write is answered").isNotDone();
        idle.complete(WriteOutcome.APPLIED);
        assertThat(released).as("after the write").isCompleted();
    }

    @Test
    void softCallWhoseSlotWasEvictedIsRefused() {
        store.showsOwnSlots = false;
        assertThat(outcome(algorithm().acquire(AcquireRequest.tries("lock", "thread"))))
                .isCompletedWithValue(Optional.empty());
        assertThat(store.wanted()).as("slots left behind").isZero();
    }

    @Test
    void waiterWithAnEvictedSlotRenewsItsSessionAndBeginsAgain() {
        store.showsOwnSlots = false;
        Attempt waiter = algorithm().acquire(AcquireRequest.waits("lock", "thread"));
        time.run(Duration.ofMillis(200));
        assertThat(store.renewals()).isEqualTo(1);
        assertThat(store.written(SlotPhase.CHOOSING)).as("attempts").isEqualTo(1);
        store.showsOwnSlots = true;
        time.run(Duration.ofMillis(100));
        assertThat(granted(waiter).isValid()).isTrue();
        assertThat(store.written(SlotPhase.CHOOSING)).as("attempts").isEqualTo(2);
    }

    @Test
    void lockIsHandedOverInTheProcessUntilTheLongestHoldAndThenReleased() {
        time.run(LEASE);
        TicketAlgorithm algorithm = algorithm();
        List<Attempt> attempts = IntStream.range(0, 3)
                .mapToObj(number -> algorithm.acquire(AcquireRequest.waits("lock", "thread " + number)))
                .toList();
        time.run(Duration.ofMillis(40));
        assertThat(granted(attempts.get(0)).release().toCompletableFuture()).isCompleted();
        assertThat(granted(attempts.get(1)).isValid()).isTrue();
        assertThat(store.written).as("W1 of the first").hasSize(1);
        time.run(Duration.ofMillis(40));
        granted(attempts.get(1)).release();
        assertThat(granted(attempts.get(2)).isValid()).isTrue();
        assertThat(store.written(SlotPhase.CHOOSING))
                .as("W1 of the first and the third")
                .isEqualTo(2);
    }

    @Test
    void lateReleaseOfALostLockDoesNotAffectTheNextHolder() {
        TicketAlgorithm algorithm = algorithm();
        Grant lost = granted(algorithm.acquire(AcquireRequest.waits("lock", "first")));
        Attempt next = algorithm.acquire(AcquireRequest.waits("lock", "second"));
        algorithm.abandonAll("the process was restored from a checkpoint");
        assertThat(granted(next).isValid()).isTrue();
        assertThat(lost.release().toCompletableFuture()).isCompleted();
        assertThat(granted(next).isValid()).isTrue();
        assertThat(store.wanted()).as("slots").isEqualTo(1);
    }

    @Test
    void lossOfAnotherSessionDoesNotAffectHoldersAndWaiters() {
        OwnSession another = new SessionKeeper(sessions, (session, reason) -> {})
                .current()
                .toCompletableFuture()
                .join();
        LockActor actor = new LockActor(
                new LockActor.Environment(
                        context(new SessionKeeper(sessions, (session, reason) -> {})), Optional.empty(), retired -> {}),
                "lock");
        store.others = List.of(other(SlotPhase.TICKETED, 1));
        TicketRequest waiter = new TicketRequest(LockMode.EXCLUSIVE, false, null, 0, leaving -> {});
        actor.arrived(waiter, again -> {});
        actor.sessionLost(another, "test");
        assertThat(store.written(SlotPhase.CHOOSING)).as("attempts").isEqualTo(1);
        store.others = List.of();
        time.run(Duration.ofSeconds(1));
        Grant grant = granted(waiter);
        actor.sessionLost(another, "test");
        assertThat(grant.isValid()).isTrue();
        assertThat(grant.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void endOfTheAlgorithmEndsItsSessionOnceEverySlotIsReleased() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        CompletableFuture<Void> ended = algorithm.closeAsync().toCompletableFuture();
        assertThat(ended).isNotDone();
        grant.release();
        assertThat(ended).isCompleted();
        assertThat(store.declaredDead).isEqualTo(1);
    }

    @Test
    void endOfTheAlgorithmWaitsForFiveSecondsAtMost() {
        TicketAlgorithm algorithm = algorithm();
        algorithm.acquire(AcquireRequest.waits("lock", "thread"));
        CompletableFuture<Void> ended = algorithm.closeAsync().toCompletableFuture();
        time.run(Duration.ofMillis(4_900));
        assertThat(ended).isNotDone();
        time.run(Duration.ofMillis(200));
        assertThat(ended).isCompleted();
        assertThat(store.declaredDead).isEqualTo(1);
    }

    @Test
    void firstTokenOfALockIsOneAboveTheFloorOfTheWallClock() {
        long seconds = process.micros() / 1_000_000 - 1_577_836_800;
        assertThat(acquire().join().orElseThrow().fencingToken().toCompletableFuture())
                .isCompletedWithValue((seconds << 20) + 1);
    }

    @Test
    void rowIsReliedOnForItsLifeLessTheDriftAndTheMargin() {
        assertThat(TERMS.certain(0.05)).isEqualTo(Duration.ofSeconds(10_260 - 7_202));
    }

    @Test
    void softCallWaitsForATenthOfASecondWhileAnotherSlotIsChoosing() {
        time.run(LEASE);
        store.beforeAWrite = slot -> store.others = List.of(other(SlotPhase.CHOOSING, 0));
        Attempt soft = algorithm().acquire(AcquireRequest.tries("lock", "thread"));
        time.run(Duration.ofMillis(95));
        assertThat(outcome(soft)).isNotDone();
        time.run(Duration.ofMillis(10));
        assertThat(outcome(soft)).isCompletedWithValue(Optional.empty());
    }

    @Test
    void softCallIsRefusedBehindALowerTicketAndServedBeforeAHigher() {
        store.beforeAWrite = slot -> store.others = List.of(other(SlotPhase.TICKETED, 1));
        assertThat(outcome(algorithm().acquire(AcquireRequest.tries("refused", "thread"))))
                .isCompletedWithValue(Optional.empty());
        store.others = List.of();
        store.beforeAWrite = slot -> store.others = List.of(other(SlotPhase.CHOOSING, 0));
        Attempt served = algorithm().acquire(AcquireRequest.tries("served", "thread"));
        store.others = List.of(other(SlotPhase.TICKETED, 9));
        time.run(Duration.ofMillis(10));
        assertThat(granted(served).isValid()).isTrue();
    }

    @Test
    void slotWhoseReleaseASoftCallReplacedIsReleasedWhenThatCallIsRefused() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> {
            store.answers = again -> Optional.empty();
            return unacknowledged();
        };
        grant.release();
        store.others = List.of(other(SlotPhase.TICKETED, 1));
        assertThat(outcome(algorithm.acquire(AcquireRequest.tries("lock", "soft"))))
                .isCompletedWithValue(Optional.empty());
        assertThat(store.wanted()).as("slots").isZero();
    }

    @Test
    void releaseEndsIfTheTimersOfItsRepetitionHaveEnded() {
        AtomicBoolean timersEnded = new AtomicBoolean();
        SessionContext withTimersThatEnd = new SessionContext(
                store,
                sessions.settings(),
                process,
                delay -> timersEnded.get()
                        ? CompletableFuture.failedFuture(new IllegalStateException("shut down"))
                        : process.after(delay),
                UUID::randomUUID,
                "test");
        TicketAlgorithm algorithm = new TicketAlgorithm(store, withTimersThatEnd, TERMS, process);
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> unacknowledged();
        timersEnded.set(true);
        assertThat(grant.release().toCompletableFuture()).isCompleted();
        assertThat(Leftovers.in(algorithm, "actors")).isZero();
    }

    @Test
    void sessionsWhoseSlotsAreIdleAreNotWatchedAfterACrash() {
        TicketContext context = context(new SessionKeeper(sessions, (session, reason) -> {}));
        UUID crashed = new UUID(9, 1);
        store.others = List.of(
                new Slot(new SlotId(crashed, 0), 1, SlotPhase.TICKETED, LockMode.EXCLUSIVE, 1),
                new Slot(new SlotId(new UUID(9, 2), 0), 1, SlotPhase.IDLE, LockMode.EXCLUSIVE, 0));
        new BackgroundEviction(context, "lock").dead(new DeadSession(crashed, "crashed", LEASE));
        assertThat(store.readSessions).as("sessions that are watched").isEmpty();
        assertThat(store.deletions()).as("evictions").isEqualTo(1);
    }

    @Test
    void logOfAnUnacknowledgedWriteNamesTheLockAndTheCause() {
        Logger log = (Logger) LoggerFactory.getLogger(TicketWarnings.class);
        Level usualLevel = log.getEffectiveLevel();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.setLevel(Level.WARN);
        log.addAppender(lines);
        try {
            Grant grant = granted(algorithm().acquire(AcquireRequest.waits("invoice:1", "thread")));
            store.answers = slot -> unacknowledged();
            time.run(Duration.ofMinutes(20));
            grant.release();
        } finally {
            log.detachAppender(lines);
            log.setLevel(usualLevel);
        }
        assertThat(lines.list.stream().map(ILoggingEvent::getFormattedMessage))
                .anyMatch(line -> line.contains("A refresh of the slot of lock 'invoice:1' was not acknowledged"))
                .anyMatch(line -> line.contains("The release of lock 'invoice:1' was not acknowledged"));
    }
}

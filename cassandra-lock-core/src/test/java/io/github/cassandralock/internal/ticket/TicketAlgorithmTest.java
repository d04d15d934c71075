package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.attempt.BackgroundEviction;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.lock.LockActor;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The beginning, the loss and the end of sessions, and the end of the algorithm. */
class TicketAlgorithmTest extends ScriptedStoreTest {

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
    void eachOfTwoClosingsEndsWhenTheLockThatIsHeldIsReleased() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = algorithm
                .acquire(AcquireRequest.waits("lock", "thread"))
                .getOutcome()
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
    void sessionThatFollowsALostOneIsNotWatchedAfterACrashOfAnother() {
        SessionKeeper keeper = new SessionKeeper(sessions, (session, reason) -> {});
        TicketContext context = context(keeper);
        keeper.current();
        BackgroundEviction refusedUnderTheFirst = new BackgroundEviction(context, "lock");
        keeper.abandonAll(new LockLoss(LockLoss.Reason.OTHER, "lost"));
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
                        .getOutcome()
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
                        .getOutcome()
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
                .getOutcome()
                .toCompletableFuture();
        assertThat(outcome).isCompletedExceptionally();
        assertThat(store.opened).as("sessions opened").hasSize(1);
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
        TicketRequest waiter = new TicketRequest(LockMode.EXCLUSIVE, 1, false, null, 0, leaving -> {});
        actor.arrived(waiter, again -> {});
        actor.sessionLost(another, new LockLoss(LockLoss.Reason.OTHER, "test"));
        assertThat(store.written(SlotPhase.CHOOSING)).as("attempts").isEqualTo(1);
        store.others = List.of();
        time.run(Duration.ofSeconds(1));
        Grant grant = granted(waiter);
        actor.sessionLost(another, new LockLoss(LockLoss.Reason.OTHER, "test"));
        assertThat(grant.isValid()).isTrue();
        assertThat(grant.getLoss().toCompletableFuture()).isNotDone();
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
    void endOfTheAlgorithmDoesNotWaitForLostLocksThatNobodyReleases() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        grant.abandon(new LockLoss(LockLoss.Reason.CLOSED, "the application is shutting down"));
        assertThat(algorithm.closeAsync().toCompletableFuture()).isCompleted();
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
}

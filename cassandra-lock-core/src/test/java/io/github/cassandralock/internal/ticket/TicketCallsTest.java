package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.lock.LockActor;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How calls are served, refused and given up. */
class TicketCallsTest extends ScriptedStoreTest {

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
    void softCallWhoseSlotWasEvictedIsRefused() {
        store.showsOwnSlots = false;
        assertThat(outcome(algorithm().acquire(AcquireRequest.tries("lock", "thread"))))
                .isCompletedWithValue(Optional.empty());
        assertThat(store.wanted()).as("slots left behind").isZero();
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
    void queueWhoseOnlyWaiterGaveUpIsDropped() {
        List<LockActor> retired = new ArrayList<>();
        LockActor actor = new LockActor(
                new LockActor.Environment(
                        context(new SessionKeeper(sessions, (session, reason) -> {})), Optional.empty(), retired::add),
                "lock");
        TicketRequest waiter = new TicketRequest(LockMode.EXCLUSIVE, 1, false, null, 0, leaving -> {});
        waiter.giveUp();
        actor.arrived(waiter, again -> {});
        assertThat(retired).containsExactly(actor);
        assertThat(actor.close().toCompletableFuture()).isCompleted();
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
    void refusedTriesBehindTwoHundredSlotsReadEightSessionsNotTwoHundred() {
        store.others = IntStream.rangeClosed(1, 200)
                .mapToObj(number ->
                        new Slot(new SlotId(new UUID(7, number), 0), 1, SlotPhase.TICKETED, LockMode.EXCLUSIVE, number))
                .toList();
        TicketAlgorithm algorithm = algorithm();
        for (int call = 0; call < 10; call++) {
            assertThat(algorithm
                            .acquire(AcquireRequest.tries("lock", "thread"))
                            .getOutcome()
                            .toCompletableFuture())
                    .isCompletedWithValue(Optional.empty());
        }
        assertThat(store.sessionReads).as("after ten calls").isEqualTo(8);
        time.run(LEASE);
        assertThat(store.sessionReads)
                .as("after a lease: each was looked at once more, and had been renewed")
                .isEqualTo(16);
    }
}

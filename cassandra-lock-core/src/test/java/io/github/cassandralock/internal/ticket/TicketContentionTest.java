package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When holders receive that somebody else waits for the lock. */
class TicketContentionTest extends ScriptedStoreTest {

    @Test
    void holderLearnsOfAThreadOfItsProcessThatWaitsWithoutAnOperation() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "holder")));
        CompletableFuture<Void> early = grant.watchContention().toCompletableFuture();
        assertThat(algorithm.acquire(AcquireRequest.tries("lock", "tries")).getOutcome())
                .as("a try")
                .isCompletedWithValue(Optional.empty());
        assertThat(early).as("before anybody waits").isNotDone();
        algorithm.acquire(AcquireRequest.waits("lock", "waits"));
        assertThat(early).as("when a thread waits").isCompleted();
        assertThat(grant.watchContention().toCompletableFuture())
                .as("asked for later")
                .isCompleted();
    }

    @Test
    void holderLearnsOfAnotherProcessByALookEveryThirdOfALease() {
        Grant grant = granted(algorithm().acquire(AcquireRequest.waits("lock", "holder")));
        CompletableFuture<Void> contended = grant.watchContention().toCompletableFuture();
        time.run(LEASE);
        assertThat(contended).as("while nobody waits").isNotDone();
        store.others = List.of(other(SlotPhase.CHOOSING, 0));
        time.run(LEASE.dividedBy(3));
        assertThat(contended).as("after a look").isCompleted();
    }

    @Test
    void nobodyLooksForContentionOfALockThatWasReleased() {
        Grant grant = granted(algorithm().acquire(AcquireRequest.waits("lock", "holder")));
        CompletableFuture<Void> contended = grant.watchContention().toCompletableFuture();
        grant.release();
        store.others = List.of(other(SlotPhase.TICKETED, 7));
        time.run(LEASE);
        assertThat(contended).isNotDone();
        assertThat(grant.watchContention().toCompletableFuture())
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
        grant.watchContention();
        assertThat(timers).as("timers until a look").hasSize(1).noneMatch(CompletableFuture::isDone);
        grant.release();
        assertThat(timers).as("after the release").allMatch(CompletableFuture::isDone);
    }
}

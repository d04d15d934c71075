package io.github.cassandralock.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.session.SessionKeeper;
import io.github.cassandralock.session.SessionParts;
import io.github.cassandralock.session.SessionTerms;
import io.github.cassandralock.session.SessionWatch;
import io.github.cassandralock.simulation.InstantStore;
import io.github.cassandralock.simulation.SimulatedProcess;
import io.github.cassandralock.simulation.SimulatedTime;
import io.github.cassandralock.spi.CasOutcome;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Slot;
import io.github.cassandralock.spi.WriteOutcome;
import io.github.cassandralock.steps.PollBounds;
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
import org.junit.jupiter.api.Test;

/** What the algorithm makes of a store that answers late, or not at all, one case at a time. */
class TicketAlgorithmTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final TicketTerms TERMS =
            TicketTerms.of(Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250)));

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final MoodyStore store = new MoodyStore(time);
    private final AtomicLong ids = new AtomicLong();
    private final SessionParts sessions = new SessionParts(
            store, new SessionTerms(LEASE, 0.05), process, process, () -> new UUID(0, ids.incrementAndGet()), "test");

    /** Answers at once unless it is told otherwise. */
    private static final class MoodyStore extends InstantStore {

        private final Set<UUID> writers = new LinkedHashSet<>();
        private CompletableFuture<CasOutcome> opening = CompletableFuture.completedFuture(CasOutcome.APPLIED);
        private boolean reserves = true;

        MoodyStore(SimulatedTime time) {
            super(time);
        }

        @Override
        public CompletionStage<WriteOutcome> write(
                String lockId, Slot slot, long timestamp, Duration ttl, OptionalLong carry) {
            writers.add(slot.session());
            return super.write(lockId, slot, timestamp, ttl, carry);
        }

        @Override
        public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
            return reserves
                    ? super.reserve(lockId, lastToken)
                    : CompletableFuture.completedFuture(new WriteOutcome.Unknown(new TimeoutException("no quorum")));
        }

        @Override
        public CompletionStage<CasOutcome> open(UUID session, String owner, Duration ttl) {
            return opening;
        }
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
        assertThat(outcome).as("the lock, under a second session").isCompleted();
        assertThat(store.writers).as("sessions that wrote a slot").containsExactly(new UUID(0, 2));
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
    void queueThatNobodyCameToIsDropped() {
        List<LocalQueue> retired = new ArrayList<>();
        LocalQueue queue = new LocalQueue(
                new TicketParts(
                        store,
                        new SessionKeeper(sessions, (session, reason) -> {}),
                        new SessionWatch(sessions),
                        new HandOverMemory(),
                        sessions.terms(),
                        TERMS,
                        process,
                        process,
                        process),
                "lock",
                retired::add);
        Waiter waiter = new Waiter(false, 0, leaving -> {});
        waiter.giveUp();
        queue.enter(waiter, again -> {});
        assertThat(retired).containsExactly(queue);
        assertThat(queue.settled().toCompletableFuture()).isCompleted();
    }
}

package io.github.cassandralock.internal.ticket.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.deadlock.CheckedCall.Standing;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.ticket.handle.OwnedLocks;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A request that three readings show in a deadlock is ended only if it still waits as they show it: the one rule of the search whose fault
 * 100,000 schedules do not show (lock modes, section 7). Costs nothing.
 */
class CheckedRequestTest {

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final InstantStore store = new InstantStore(time);
    private final SessionKeeper sessions = new SessionKeeper(
            new SessionContext(
                    store,
                    new SessionSettings(Duration.ofSeconds(15), 0.05),
                    process,
                    process,
                    () -> new UUID(1, 1),
                    "this process"),
            (lost, reason) -> {});
    private final TicketRequest waiter =
            new TicketRequest(LockMode.PROTECTED_READ, 1, false, LockOwner.named("own"), 0, leaving -> {});
    private final TicketRequest earlier = new TicketRequest(LockMode.PROTECTED_WRITE, 1, false, null, 0, leaving -> {});
    private final LockActor actor =
            new LockActor(new LockActor.Environment(context(), Optional.of(deadlocks()), retired -> {}), "k");
    private final LocalState lock = new LocalState(actor.partition(), actor);
    private final CheckedRequest check =
            new CheckedRequest(new CheckedRequests(lock, deadlocks()), waiter, LockOwner.named("own"));

    @SuppressWarnings("NullAway") // the request asks for none of the rest
    private TicketContext context() {
        return new TicketContext(
                store,
                sessions,
                null,
                NoticeChannel.OFF,
                null,
                null,
                null,
                null,
                null,
                process,
                process,
                null,
                null,
                null,
                null);
    }

    @SuppressWarnings("NullAway") // the test does what the detector does
    private static Deadlocks deadlocks() {
        return new Deadlocks(null, new OwnedLocks(), "this process");
    }

    @BeforeEach
    void openSession() {
        sessions.current().toCompletableFuture().join();
        lock.addWaiting(earlier);
        lock.addWaiting(waiter);
    }

    private Standing standing() {
        return Objects.requireNonNull(
                check.queue().standings().toCompletableFuture().join().get(check.request()));
    }

    private boolean isEnded(Standing known) {
        return check.fail(known, new LockDeadlockException("k", "a deadlock", List.of()))
                .toCompletableFuture()
                .join();
    }

    @Test
    void requestThatStillWaitsAsItWasReadIsEnded() {
        assertThat(isEnded(standing())).isTrue();
        assertThat(waiter.getOutcome().toCompletableFuture()).isCompletedExceptionally();
        assertThat(lock.waiting().stream()).containsExactly(earlier);
    }

    @Test
    void requestThatWaitsInAnotherWayByThenIsNotEnded() {
        Standing known = standing();
        lock.cancel(earlier);
        assertThat(isEnded(known)).isFalse();
        assertThat(waiter.getOutcome().toCompletableFuture()).isNotDone();
        assertThat(lock.waiting().stream()).containsExactly(waiter);
    }

    @Test
    void requestThatHasItsLockByThenIsNotEnded() {
        Standing known = standing();
        lock.waiting().remove(waiter);
        assertThat(isEnded(known)).isFalse();
        assertThat(waiter.getOutcome().toCompletableFuture()).isNotDone();
    }
}

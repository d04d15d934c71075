package io.github.cassandralock.internal.ticket;

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
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A request that three readings show in a deadlock is ended only if it still waits as they show it: the one rule of the search whose fault
 * 100,000 schedules do not show (lock modes, section 7). Costs nothing.
 */
class WaiterCheckTest {

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
            new TicketRequest(LockMode.EXCLUSIVE, false, LockOwner.named("own"), 0, leaving -> {});
    private final Place queue = new Place();
    private final WaiterChecks checks = new WaiterChecks(new LockPartition(context(), "k"), deadlocks(), queue);
    private final WaiterCheck check = new WaiterCheck(checks, waiter, LockOwner.named("own"));

    /** Behind others of its process, as the test says. */
    private final class Place implements WaiterChecks.Queue {

        private LockMode waitsAs = LockMode.EXCLUSIVE;
        private boolean hasLeft;

        @Override
        public Map<TicketRequest, WaiterChecks.Place> places() {
            return hasLeft ? Map.of() : Map.of(waiter, new WaiterChecks.Place(Optional.empty(), false, waitsAs));
        }

        @Override
        public void leaveNow(TicketRequest left) {
            hasLeft = true;
        }
    }

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
                null);
    }

    @SuppressWarnings("NullAway") // the test does what the detector does
    private static Deadlocks deadlocks() {
        return new Deadlocks(null, new OwnedLocks(), "this process");
    }

    @BeforeEach
    void openSession() {
        sessions.current().toCompletableFuture().join();
    }

    private Standing standing() {
        return Objects.requireNonNull(
                checks.standings().toCompletableFuture().join().get(check.request()));
    }

    private boolean isEnded(Standing known) {
        return check.fail(known, new LockDeadlockException("k", "a deadlock", List.of()))
                .toCompletableFuture()
                .join();
    }

    @Test
    void requestThatStillWaitsAsItWasReadIsEnded() {
        assertThat(isEnded(standing())).isTrue();
        assertThat(waiter.outcome().toCompletableFuture()).isCompletedExceptionally();
        assertThat(queue.hasLeft).isTrue();
    }

    @Test
    void requestThatWaitsInAnotherWayByThenIsNotEnded() {
        Standing known = standing();
        queue.waitsAs = LockMode.PROTECTED_READ;
        assertThat(isEnded(known)).isFalse();
        assertThat(waiter.outcome().toCompletableFuture()).isNotDone();
        assertThat(queue.hasLeft).isFalse();
    }

    @Test
    void requestThatHasItsLockByThenIsNotEnded() {
        Standing known = standing();
        queue.hasLeft = true;
        assertThat(isEnded(known)).isFalse();
        assertThat(waiter.outcome().toCompletableFuture()).isNotDone();
    }
}

package io.github.cassandralock.internal.ticket.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.slot.LeftBehind;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process has no more slots in a lock than numbers for them. */
@Tag("slow")
class PlacementTest {

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final InstantStore store = new InstantStore(time);
    private final SessionKeeper sessions = new SessionKeeper(
            new SessionContext(
                    store,
                    new SessionSettings(Duration.ofSeconds(15), 0.05),
                    process,
                    process,
                    UUID::randomUUID,
                    "this process"),
            (lost, reason) -> {});
    private final TicketContext context = context();
    private final LockActor actor =
            new LockActor(new LockActor.Environment(context, Optional.empty(), retired -> {}), "k");
    private final LocalState lock = new LocalState(actor.partition(), actor);
    private final Placement placement = new Placement(lock);

    @SuppressWarnings("NullAway") // nothing begins, so nothing else is used
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

    private void useSlots(int count) {
        OwnSession session = sessions.current().toCompletableFuture().join();
        for (int number = 0; number < count; number++) {
            OwnRow row = new OwnRow(
                    context, session, new SlotId(session.id(), number), LockMode.PROTECTED_READ, Slot.NO_BASE, 1);
            lock.newSlot().decide((state, access) -> new LeftBehind(row, 0));
        }
    }

    @Test
    void requestWaitsWhileTheProcessUsesAsManySlotsAsThereMayBe() {
        TicketRequest request = new TicketRequest(LockMode.PROTECTED_READ, 1, false, null, 0, leaving -> {});
        useSlots(SlotId.HIGHEST);
        assertThat(placement.hasSlotLeft()).isTrue();
        useSlots(1);
        placement.place(request);
        assertThat(lock.waiting().stream()).containsExactly(request);
        lock.slots().get(7).decide((state, access) -> SlotState.Free.INSTANCE);
        assertThat(placement.hasSlotLeft()).isTrue();
    }
}

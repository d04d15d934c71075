package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.SessionObserver;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.util.List;
import java.util.UUID;

/**
 * Frees a lock for later calls if the session that has it now has crashed: calls that only try, or that give up soon, do not watch
 * it for long enough themselves. It evicts the slot when the
 * session is found dead, and stops watching when the session is found alive. Two objects for the same lock are equal, so
 * several refused calls add only one observer to a session.
 */
public record BackgroundEviction(TicketContext context, String lockId) implements SessionObserver {

    /** Watches the sessions of these slots, which are in the way. */
    static void watch(LockPartition partition, List<Slot> inTheWay) {
        BackgroundEviction observer = new BackgroundEviction(partition.context(), partition.lockId());
        TicketContext context = partition.context();
        Bakery.toWatch(inTheWay, context.sessions()::isOwn)
                .forEach(session -> context.watch().join(session, observer));
    }

    /**
     * Evicts the slot, and then watches all sessions that are left, because only the first ones were watched before. If the
     * eviction fails, it is not repeated here; the next such call begins a new watch.
     */
    @Override
    public void dead(DeadSession session) {
        new LockPartition(context, lockId, new Mailbox())
                .evict(session)
                .thenAccept(left -> left.stream()
                        .filter(slot -> slot.phase() != SlotPhase.IDLE
                                && !context.sessions().isOwn(slot.session()))
                        .forEach(slot -> context.watch().join(slot.session(), this)));
    }

    @Override
    public void renewed(UUID session) {
        context.watch().leave(session, this);
    }
}

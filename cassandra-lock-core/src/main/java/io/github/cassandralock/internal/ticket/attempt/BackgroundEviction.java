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
 * Frees a lock for later calls if the session of its holder has crashed. Calls that only try, or soon time out, end before their
 * own watch shows that. It evicts the slot when the session is found dead, and stops watching when the session is found alive.
 * Two objects for the same lock are equal, so several refused calls add only one observer to a session.
 */
public record BackgroundEviction(TicketContext context, String lockId) implements SessionObserver {

    /** Of those that hold other permits, so many sessions are watched at once for each lock. */
    private static final int BESIDE = 2;

    /** Spreads numbers that are all multiples of a thousand, such as times of clocks with milliseconds. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** Watches the sessions of these blocking slots. */
    static void watch(LockPartition partition, List<Slot> blocking) {
        BackgroundEviction observer = new BackgroundEviction(partition.context(), partition.lockId());
        TicketContext context = partition.context();
        Bakery.toWatch(blocking, context.sessions()::isOwn)
                .forEach(session -> context.watch().join(session, observer));
    }

    /**
     * Watches one of the sessions beside which an attempt took the lock, if few are watched for this lock. They may be dead, and no
     * later request need wait for long enough to find out. Attempts choose different ones, so a dead session is found after a
     * few. If each attempt watched all sessions, the cost would grow with the square of the number of processes.
     *
     * @param attempt the number of the attempt
     */
    static void watchOne(LockPartition partition, List<Slot> beside, long attempt) {
        TicketContext context = partition.context();
        List<UUID> others = beside.stream()
                .map(Slot::session)
                .filter(session -> !context.sessions().isOwn(session))
                .toList();
        BackgroundEviction observer = new BackgroundEviction(context, partition.lockId());
        if (!others.isEmpty() && context.watch().observedBy(observer) < BESIDE) {
            context.watch().join(others.get(Math.floorMod(Long.hashCode(attempt * SPREAD), others.size())), observer);
        }
    }

    /**
     * Watches all other sessions of the lock after an attempt has evicted a dead one. Many may have crashed at the same time, and
     * the attempt itself watches only the first ones. Does nothing if another process had evicted the slot before. Otherwise
     * each waiter would watch all sessions, and a crash would cost the square of their number.
     */
    static void watchOthers(LockPartition partition, LockPartition.Eviction eviction) {
        if (eviction.wasNeeded()) {
            new BackgroundEviction(partition.context(), partition.lockId()).watchAll(eviction.others());
        }
    }

    /**
     * Evicts the slot, and then watches all sessions that are left, because only the first ones were watched before. If the
     * eviction fails, it is not repeated here; the next such call begins a new watch.
     */
    @Override
    public void dead(DeadSession session) {
        new LockPartition(context, lockId, new Mailbox())
                .evict(session)
                .thenAccept(eviction -> watchAll(eviction.others()));
    }

    private void watchAll(List<Slot> others) {
        others.stream()
                .filter(slot ->
                        slot.phase() != SlotPhase.IDLE && !context.sessions().isOwn(slot.session()))
                .forEach(slot -> context.watch().join(slot.session(), this));
    }

    @Override
    public void renewed(UUID session) {
        context.watch().leave(session, this);
    }
}

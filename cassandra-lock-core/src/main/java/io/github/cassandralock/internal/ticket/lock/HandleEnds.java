package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.time.Duration;
import java.util.List;

/**
 * How a handle ends: its holder releases it, it is lost, or it is left behind. The end concerns all slots of the handle. Without
 * state of its own. Used in the lock's mailbox alone.
 */
record HandleEnds(LocalState lock) {

    /**
     * Ends a handle that its holder has released, and whose value is closed. If the handle has one slot, the next request may get
     * it. A stopped handle is answered after its write, because {@code FinalRelease} counts releases under way by these answers.
     */
    void released(TicketHandle handle) {
        lock.answers().addAnswer(handle::completeRelease);
        if (handle.wasStopped()) {
            lock.answers().setAfterReleases();
        }
        if (handle.hasOneSlot() && handle.conversion().isEmpty()) {
            lock.slot(handle.row()).decide((state, access) -> state.handleReleased(handle, access));
        } else {
            end(handle);
        }
    }

    /** Leaves the handle's slots behind at the end of the process. The lock stays taken for at least the given time. */
    void leftBehind(TicketHandle handle, Duration atLeast) {
        endConversion(handle);
        handle.slots()
                .rows()
                .forEach(row ->
                        lock.slot(row).decide((state, access) -> state.leftBehind(row, handle, atLeast, access)));
        lock.answers().addAnswer(handle::completeRelease);
    }

    /** Takes the lock, and all their slots, from these handles. */
    void lost(List<TicketHandle> handles, LockLoss loss) {
        LockPartition partition = lock.partition();
        handles.stream()
                .filter(handle -> handle.lose(loss))
                .forEach(handle -> partition.context().warnings().lost().warn(partition.lockId(), loss.text()));
        handles.forEach(this::end);
    }

    /** Its conversion ends, and its slots are withdrawn from the top down. */
    private void end(TicketHandle handle) {
        endConversion(handle);
        withdrawFromTop(handle, lock.slots(handle));
    }

    /** Fails the conversion up of the handle, if one is under way. The handle does not get its slot. */
    private void endConversion(TicketHandle handle) {
        handle.conversion().filter(TicketRequest::hasMode).ifPresent(conversion -> {
            conversion.fail(Conversions.notHeld(lock.partition().lockId()));
            lock.cancelWithSlot(conversion);
        });
    }

    static void withdrawFromTop(TicketHandle handle, List<LocalSlot> slots) {
        for (int slot = slots.size() - 1; slot >= 0; slot--) {
            slots.get(slot).decide((state, access) -> state.withdrawn(handle, access));
        }
    }
}

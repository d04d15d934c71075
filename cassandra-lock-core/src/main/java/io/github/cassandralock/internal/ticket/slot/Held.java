package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.util.Optional;

/** One or several threads hold the lock with the slot. */
record Held(SlotHold hold) implements SlotState {

    @Override
    public Optional<OwnRow> liveRow() {
        return Optional.of(hold.row());
    }

    @Override
    public Optional<LockMode> usedMode() {
        return Optional.of(hold.mode());
    }

    @Override
    public int usedPermits() {
        return hold.permits();
    }

    @Override
    public Optional<SlotHold> held() {
        return Optional.of(hold);
    }

    @Override
    public boolean isConverted() {
        return hold.isPartOfConversion();
    }

    @Override
    public boolean staysTaken() {
        return true;
    }

    /** At the end of the process, other processes evict a slot whose handles are all lost. */
    @Override
    public boolean mayOutlastProcess() {
        return hold.isLost();
    }

    @Override
    public boolean mayShare(TicketRequest request) {
        return request.mode().isCompatibleWith(request.mode())
                && hold.mode() == request.mode()
                && hold.mayBeHandedOver()
                && hold.row().isValid();
    }

    @Override
    public SlotState joined(TicketRequest request, LockView by) {
        by.grant(request, hold);
        return this;
    }

    @Override
    public SlotState released(TicketHandle handle) {
        return hold.end(handle) ? new Vacant(hold.row(), hold) : this;
    }

    @Override
    public SlotState withdrawn(TicketHandle handle, LockView by) {
        return hold.end(handle) ? Vacant.after(hold.row(), by) : this;
    }

    @Override
    public SlotState vacated(SlotHold over, LockView by) {
        return hold == over ? Vacant.after(liveRow(), by) : this;
    }

    /** Returns this state, because the loss is decided for all slots of the handles together. */
    @Override
    public SlotState sessionLost(OwnSession session, LockLoss loss, LockView by) {
        return this;
    }
}

package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.ticket.handle.ContentionWatch;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** One or several threads hold the lock with the slot. */
record Held(SlotHold hold) implements SlotState {

    private static final LockLoss EXPIRED = new LockLoss(
            LockLoss.Reason.LEASE_EXPIRED, "its slot may have expired, because no refresh of it was acknowledged");

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
    public SlotHold held() {
        return hold;
    }

    @Override
    public boolean isUsedBy(TicketHandle handle) {
        return hold.has(handle);
    }

    @Override
    public Optional<ContentionWatch> contention() {
        return hold.contention();
    }

    @Override
    public Optional<Obstacle> obstacle() {
        return Optional.of(new Obstacle.Taken(Optional.of("another thread of this process"), hold.age()));
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
    public SlotState released(TicketHandle handle, LockView by) {
        if (hold.isPartOfConversion()) {
            return withdrawn(handle, by);
        }
        return without(handle, () -> new Vacant(hold.row(), hold), by);
    }

    @Override
    public SlotState withdrawn(TicketHandle handle, LockView by) {
        return without(handle, () -> Vacant.after(hold.row(), by), by);
    }

    private SlotState without(TicketHandle handle, Supplier<SlotState> unused, LockView by) {
        if (!hold.has(handle)) {
            return this;
        }
        if (!hold.end(handle)) {
            return lowered(by);
        }
        by.endContention(hold);
        return unused.get();
    }

    /** The slot gets the least mode that all its handles need (rule 2). */
    @Override
    public SlotState lowered(LockView by) {
        LockMode needed = hold.leastNeeded();
        if (needed != hold.mode()) {
            hold.lowerMode(needed);
            by.modeLowered(hold);
        }
        by.sharersGone();
        return this;
    }

    @Override
    public SlotState vacated(SlotHold over, LockView by) {
        return hold == over ? Vacant.after(liveRow(), by) : this;
    }

    @Override
    public SlotState leftBehind(OwnRow row, TicketHandle handle, Duration atLeast, LockView by) {
        if (!hold.has(handle)) {
            return this;
        }
        by.endContention(hold);
        return LeftBehind.atLeast(row, atLeast, by);
    }

    // Losses. They concern all slots of the handles, so they are events of their own

    @Override
    public SlotState sessionLost(OwnSession session, LockLoss loss, LockView by) {
        return hold.row().belongsTo(session) ? lost(loss, by) : this;
    }

    @Override
    public SlotState forceReleased(OwnSession session, long attempt, LockLoss loss, LockView by) {
        return hold.row().belongsTo(session) && hold.row().row().attempt() == attempt ? lost(loss, by) : this;
    }

    @Override
    public SlotState expired(LockView by) {
        return hold.row().isExpired() ? lost(EXPIRED, by) : this;
    }

    private SlotState lost(LockLoss loss, LockView by) {
        by.lose(hold.handles(), loss);
        return this;
    }
}

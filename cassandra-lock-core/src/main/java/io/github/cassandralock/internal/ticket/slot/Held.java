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
    public boolean isPartOfConversion() {
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
                && hold.mayServeNext()
                && hold.row().isValid();
    }

    @Override
    public SlotState joined(TicketRequest request, LockAccess access) {
        access.grant(request, hold);
        return this;
    }

    @Override
    public SlotState handleReleased(TicketHandle handle, LockAccess access) {
        if (hold.isPartOfConversion()) {
            return withdrawn(handle, access);
        }
        return without(handle, () -> new Vacant(hold.row(), hold), access);
    }

    @Override
    public SlotState withdrawn(TicketHandle handle, LockAccess access) {
        return without(handle, () -> Vacant.withOverSent(hold.row(), access), access);
    }

    private SlotState without(TicketHandle handle, Supplier<SlotState> unused, LockAccess access) {
        if (!hold.has(handle)) {
            return this;
        }
        if (!hold.end(handle)) {
            return lowered(access);
        }
        access.endContention(hold);
        return unused.get();
    }

    /** The slot gets the least mode that all its handles need (rule 2). */
    @Override
    public SlotState lowered(LockAccess access) {
        LockMode needed = hold.leastNeeded();
        if (needed != hold.mode()) {
            hold.lowerMode(needed);
            access.modeLowered(hold);
        }
        access.sharersChanged();
        return this;
    }

    @Override
    public SlotState vacated(SlotHold over, LockAccess access) {
        return hold == over ? Vacant.withOverSent(liveRow(), access) : this;
    }

    @Override
    public SlotState leftBehind(OwnRow row, TicketHandle handle, Duration atLeast, LockAccess access) {
        if (!hold.has(handle)) {
            return this;
        }
        access.endContention(hold);
        return LeftBehind.leave(row, atLeast, access);
    }

    // Losses. They concern all slots of the handles, so they are events of their own

    @Override
    public SlotState sessionLost(OwnSession session, LockLoss loss, LockAccess access) {
        return hold.row().belongsTo(session) ? lost(loss, access) : this;
    }

    @Override
    public SlotState forceReleased(OwnSession session, long attempt, LockLoss loss, LockAccess access) {
        return hold.row().belongsTo(session) && hold.row().slot().attempt() == attempt ? lost(loss, access) : this;
    }

    @Override
    public SlotState expired(LockAccess access) {
        return hold.row().isExpired() ? lost(EXPIRED, access) : this;
    }

    private SlotState lost(LockLoss loss, LockAccess access) {
        access.lose(hold.handles(), loss);
        return this;
    }
}

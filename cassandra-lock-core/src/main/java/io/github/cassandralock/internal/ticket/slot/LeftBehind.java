package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.Optional;

/**
 * The slot outlives the process. It still excludes others, and the process neither refreshes nor releases it any more. The
 * slot keeps its attempt, because the process still answers notices. Without an attempt, the answer would be OVER.
 *
 * @param until by the process's clock
 */
public record LeftBehind(OwnRow row, long until) implements SlotState {

    static LeftBehind leave(OwnRow row, Duration time, LockAccess access) {
        access.leaveBehind(row, time);
        return new LeftBehind(row, endOf(time, access));
    }

    private static long endOf(Duration time, LockAccess access) {
        return access.context().ticker().nanos() + time.toNanos();
    }

    @Override
    public Optional<OwnRow> liveRow() {
        return Optional.of(row);
    }

    @Override
    public Optional<OwnRow> rowToRefresh() {
        return Optional.empty();
    }

    @Override
    public Optional<LockMode> usedMode() {
        return Optional.of(row.slot().mode());
    }

    @Override
    public int usedPermits() {
        return row.slot().permits();
    }

    @Override
    public boolean isLeftBehind() {
        return true;
    }

    @Override
    public boolean staysTaken() {
        return true;
    }

    @Override
    public SlotState leftBehind(OwnRow other, TicketHandle handle, Duration atLeast, LockAccess access) {
        return other == row && until - endOf(atLeast, access) < 0 ? leave(row, atLeast, access) : this;
    }
}

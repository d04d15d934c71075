package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempt is over. A request may take the slot within the same event, and replace the row by its own write. Without such a
 * request, the slot is settled at the end of the event.
 *
 * @param hold by which the lock was held until now; null if nobody held it, or OVER was already sent
 */
record Vacant(OwnRow row, @Nullable SlotHold hold) implements SlotState {

    private static final Logger log = LoggerFactory.getLogger(Vacant.class);

    /** The attempt is over without a hold that may be used again. Its end is sent to waiting requests. */
    static Vacant after(OwnRow over, LockView by) {
        by.sendOver(over);
        return new Vacant(over, null);
    }

    /** Ends the attempt. The slot is vacant if the attempt has written a row, and free if not. */
    static SlotState after(Optional<OwnRow> over, LockView by) {
        return over.<SlotState>map(row -> after(row, by)).orElse(Free.INSTANCE);
    }

    @Override
    public boolean isReplaceable() {
        return true;
    }

    /** The next request of this process may get the lock without a write if this slot held it until now. */
    @Override
    public SlotState handedOver(LockView by) {
        return mayHandOver()
                ? by.takeNext(row.row().mode(), row.row().permits())
                        .map(next -> handedOver(next, by))
                        .orElse(this)
                : this;
    }

    private boolean mayHandOver() {
        return hold != null && hold.mayBeHandedOver() && hold.row().isValid();
    }

    private SlotState handedOver(TicketRequest next, LockView by) {
        SlotHold present = Objects.requireNonNull(hold);
        by.context().counters().add(Counted.HANDED_OVER);
        log.debug("Lock '{}': handed over to the next thread of this process, without a request", by.lockId());
        by.grant(next, present);
        return new Held(present);
    }

    /** If possible, one write releases the slot and begins the next attempt. */
    @Override
    public SlotState taken(TicketRequest request, LockView by) {
        if (mayReturn(request, by)) {
            return Acquiring.returned(request, by.promise(row), by);
        }
        if (hold != null) {
            by.sendOver(row);
        }
        return Acquiring.started(request, Optional.of(row), by);
    }

    private boolean mayReturn(TicketRequest request, LockView by) {
        return hold != null && by.context().exchangesNotices() && row.isValid() && Acquiring.mayReturn(request, row);
    }

    @Override
    public SlotState settled(LockView by) {
        SlotHold present = hold;
        if (present == null) {
            return releasing(by);
        }
        if (mayBeUsedAgain(present, by)) {
            if (by.isRequestedElsewhere() || present.isContended()) {
                return promised(present, by);
            }
            if (recordRelease(by) && present.mayBeKept()) {
                return kept(present, by);
            }
        }
        by.sendOver(row);
        return releasing(by);
    }

    private static boolean mayBeUsedAgain(SlotHold hold, LockView by) {
        return by.context().exchangesNotices()
                && hold.row().isValid()
                && !by.isClosing()
                && !by.isRequestedHere(hold.mode());
    }

    /** Returns whether a recent release of the lock was already recorded. */
    private static boolean recordRelease(LockView by) {
        TicketContext context = by.context();
        return context.recentReleases()
                .recordRelease(by.lockId(), context.ticker().nanos());
    }

    private static SlotState promised(SlotHold over, LockView by) {
        by.context().recentReleases().forget(by.lockId());
        Promised promised = new Promised(by.promise(over.row()));
        by.startTimer(over.returnWindow(), promised);
        return promised;
    }

    private static SlotState kept(SlotHold over, LockView by) {
        log.debug("Lock '{}': kept for the next thread of this process", by.lockId());
        Kept kept = new Kept(over);
        by.startTimer(over.keptFor(), kept);
        return kept;
    }

    /** Nothing is written for a lost session, because other processes evict its slots. */
    private SlotState releasing(LockView by) {
        if (!row.session().isValid()) {
            return Free.INSTANCE;
        }
        Releasing releasing = new Releasing(row);
        by.release(releasing);
        return releasing;
    }

    @Override
    public SlotState sessionLost(OwnSession session, LockLoss loss, LockView by) {
        return row.belongsTo(session) ? Free.INSTANCE : this;
    }
}

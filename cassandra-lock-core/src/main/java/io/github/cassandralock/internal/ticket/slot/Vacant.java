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
 * @param hold that a request may inherit; null after OVER was sent
 */
record Vacant(OwnRow row, @Nullable SlotHold hold) implements SlotState {

    private static final Logger log = LoggerFactory.getLogger(Vacant.class);

    /** The attempt is over without a hold that may be used again. Its end is sent to waiting requests. */
    static Vacant withOverSent(OwnRow over, LockAccess access) {
        access.sendOver(over);
        return new Vacant(over, null);
    }

    /** Ends the attempt. The slot is vacant if the attempt has written a row, and free if not. */
    static SlotState withOverSent(Optional<OwnRow> over, LockAccess access) {
        return over.<SlotState>map(row -> withOverSent(row, access)).orElse(Free.INSTANCE);
    }

    @Override
    public boolean isReplaceable() {
        return true;
    }

    /** The next request of this process may get the lock without a write if this slot held it until now. */
    @Override
    public SlotState handedOver(LockAccess access) {
        return mayHandOver()
                ? access.takeNext(row.slot().mode(), row.slot().permits())
                        .map(next -> handedOver(next, access))
                        .orElse(this)
                : this;
    }

    private boolean mayHandOver() {
        return hold != null && hold.mayServeNext() && hold.row().isValid();
    }

    private SlotState handedOver(TicketRequest next, LockAccess access) {
        SlotHold present = Objects.requireNonNull(hold);
        access.context().counters().add(Counted.HANDED_OVER);
        log.debug("Lock '{}': handed over to the next thread of this process, without a request", access.lockId());
        access.grant(next, present);
        return new Held(present);
    }

    /** If possible, one write releases the slot and begins the next attempt. */
    @Override
    public SlotState taken(TicketRequest request, LockAccess access) {
        if (mayReticket(request, access)) {
            return Acquiring.startWithReticket(request, access.promise(row), access);
        }
        if (hold != null) {
            access.sendOver(row);
        }
        return Acquiring.start(request, Optional.of(row), access);
    }

    private boolean mayReticket(TicketRequest request, LockAccess access) {
        return hold != null
                && access.context().exchangesNotices()
                && row.isValid()
                && Acquiring.mayReticket(request, row);
    }

    @Override
    public SlotState settled(LockAccess access) {
        SlotHold present = hold;
        if (present == null) {
            return releasing(access);
        }
        if (mayBeUsedAgain(present, access)) {
            if (access.isRequestedElsewhere() || present.isContended()) {
                return promised(present, access);
            }
            boolean releasedLately = recordRelease(access);
            if (releasedLately && present.mayBeKept()) {
                return kept(present, access);
            }
        }
        access.sendOver(row);
        return releasing(access);
    }

    private static boolean mayBeUsedAgain(SlotHold hold, LockAccess access) {
        return access.context().exchangesNotices()
                && hold.row().isValid()
                && !access.isClosing()
                && !access.isRequestedHere(hold.mode());
    }

    /** Returns whether a recent release of the lock was already recorded. */
    private static boolean recordRelease(LockAccess access) {
        TicketContext context = access.context();
        return context.recentReleases()
                .recordRelease(access.lockId(), context.ticker().nanos());
    }

    private static SlotState promised(SlotHold over, LockAccess access) {
        access.context().recentReleases().forget(access.lockId());
        Promised promised = new Promised(access.promise(over.row()));
        access.startTimer(over.reticketWindow(), promised);
        return promised;
    }

    private static SlotState kept(SlotHold over, LockAccess access) {
        log.debug("Lock '{}': kept for the next thread of this process", access.lockId());
        Kept kept = new Kept(over);
        access.startTimer(over.keptFor(), kept);
        return kept;
    }

    /** Nothing is written for a lost session, because other processes evict its slots. */
    private SlotState releasing(LockAccess access) {
        if (!row.session().isValid()) {
            return Free.INSTANCE;
        }
        Releasing releasing = new Releasing(row);
        access.release(releasing);
        return releasing;
    }

    @Override
    public SlotState sessionLost(OwnSession session, LockLoss loss, LockAccess access) {
        return row.belongsTo(session) ? Free.INSTANCE : this;
    }
}

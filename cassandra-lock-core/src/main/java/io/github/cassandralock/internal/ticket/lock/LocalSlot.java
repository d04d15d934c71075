package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.attempt.Report;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
import io.github.cassandralock.internal.ticket.handle.ContentionWatch;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.slot.LockAccess;
import io.github.cassandralock.internal.ticket.slot.SlotHold;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.internal.ticket.table.RowWriter;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * One slot of this process in a lock's partition (protocol, sections 3 and 6). Its state decides what the slot is used for, and
 * for whom. Threads use a slot one after the other, or together if their mode permits.
 */
final class LocalSlot {

    /*
     * Only events of the lock change the state. A slot whose attempt is over becomes vacant. At the end of the event, a request
     * takes the vacant slot, or the slot is settled.
     */

    private final SlotNotices notices;
    private final LocalState lock;
    private volatile SlotState state = SlotState.Free.INSTANCE;

    LocalSlot(SlotNotices notices, LocalState lock) {
        this.notices = notices;
        this.lock = lock;
    }

    private LockPartition partition() {
        return notices.partition();
    }

    private TicketContext context() {
        return partition().context();
    }

    /** The notices that the slot sends to other sessions, and the sessions that wait for it. */
    SlotNotices notices() {
        return notices;
    }

    int number() {
        return notices.number();
    }

    /** May be called from any thread. */
    SlotState state() {
        return state;
    }

    /** The hold. To be called only while a thread holds the lock with the slot. */
    SlotHold held() {
        return state.held();
    }

    /** Runs an event, whose result is the next state. Returns whether that is another state. */
    boolean decide(BiFunction<SlotState, LockAccess, SlotState> event) {
        SlotState before = state;
        EffectRunner effects = new EffectRunner(this, lock);
        SlotState next = event.apply(before, effects);
        state = next;
        effects.runFollowing();
        return next != before;
    }

    // Events of requests

    /** Called when another request, or another session, requests the lock in a conflicting mode. */
    void contended() {
        state.contention().ifPresent(ContentionWatch::report);
    }

    /** Called when the handle waits for a stronger mode. */
    void contendedBy(TicketHandle converting) {
        state.contention().ifPresent(watch -> watch.reportConversion(converting));
    }

    /**
     * Another thread of this process requests the lock. A slot that is kept or promised in a mode that conflicts is released. One
     * that a later request for a permit may use stays, unless this request tries.
     */
    void endReservationFor(TicketRequest request) {
        boolean mayServeLater = request.permits() > 1 && !request.tries() && state.isReservedFor(request);
        if (!mayServeLater) {
            endReservationFor(request.mode());
        }
    }

    private void endReservationFor(LockMode mode) {
        if (state.isReservedInConflict(mode)) {
            context().recentReleases().forget(partition().lockId());
            decide(SlotState::reservationEnded);
        }
    }

    // Events of attempts

    /** Receives a report of the current attempt. An abandoned attempt reports nothing. */
    void reported(Report report) {
        if (report instanceof Report.TicketDrawn drawn) {
            reportWaits();
            lock.ticketDrawn(drawn.row());
            contendedByPermit(drawn.row());
        } else if (report instanceof Report.PauseOver) {
            decide(SlotState::restarted);
        } else if (report instanceof Report.Ended ended) {
            decide((state, access) -> state.ended(ended.outcome(), access));
        }
    }

    /** Called when an attempt that its requests share may have to wait for others. */
    void reportWaits() {
        state.requests().forEach(TicketRequest::reportWait);
    }

    /**
     * A request for a permit draws a ticket only if it has to wait. This process then gives up conflicting slots that it only
     * keeps or has promised.
     */
    private void contendedByPermit(Slot waiting) {
        if (waiting.permits() > 1) {
            lock.others(this)
                    .filter(other -> other.state().conflictsWith(waiting.mode()))
                    .forEach(LocalSlot::contended);
            lock.others(this).forEach(other -> other.endReservationFor(waiting.mode()));
        }
    }

    // Events of handles

    /** Completes the future when another caller waits for this slot, with which the handle holds the lock. */
    void watch(TicketHandle handle, CompletableFuture<Void> contended) {
        state.contention().orElseGet(this::beginContentionWatch).add(handle, contended);
        if (lock.isRequestedByOthers(this, handle)
                || (context().exchangesNotices() && notices.isRequestedElsewhere())) {
            contended.complete(null);
        }
    }

    private ContentionWatch beginContentionWatch() {
        SlotHold hold = held();
        ContentionWatch watch = new ContentionWatch(partition(), hold.row(), hold::isValid);
        hold.watchContention(watch);
        return watch;
    }

    // Events of the row

    /** Rewrites the row if it is about to expire. */
    void refreshIfDue() {
        state.rowToRefresh().ifPresent(this::writeIfDue);
    }

    /**
     * Writes the row again if it is about to expire, or its mode was lowered.
     *
     * @return completes after the first try
     */
    CompletableFuture<Void> writeIfDue(OwnRow row) {
        CompletableFuture<Void> tried = new CompletableFuture<>();
        new RowWriter(partition(), row, () -> isCurrent(row), () -> {
                    decide(SlotState::expired);
                    tried.complete(null);
                })
                .writeIfDue();
        return tried;
    }

    private boolean isCurrent(OwnRow row) {
        return state.rowToRefresh().filter(current -> current == row).isPresent();
    }

    /** Called when the time of a reservation is over. */
    void timeUp(SlotState since) {
        if (state == since) {
            decide(SlotState::reservationEnded);
        }
    }
}

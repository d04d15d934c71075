package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.Report;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
import io.github.cassandralock.internal.ticket.handle.ContentionWatch;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.slot.LockView;
import io.github.cassandralock.internal.ticket.slot.SlotHold;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.internal.ticket.table.RowWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

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

    /** May be called from any thread. */
    SlotState state() {
        return state;
    }

    /** The hold, if a thread holds the lock with the slot. */
    Optional<SlotHold> hold() {
        return state.held();
    }

    /** The hold. To be called only while a thread holds the lock with the slot. */
    SlotHold held() {
        return hold().orElseThrow();
    }

    /** Whether the handle uses the slot. */
    boolean isUsedBy(TicketHandle handle) {
        return hold().filter(hold -> hold.has(handle)).isPresent();
    }

    private Optional<ContentionWatch> contention() {
        return hold().flatMap(SlotHold::contention);
    }

    /** Runs an event, whose result is the next state. Returns whether the state has changed. */
    boolean decide(BiFunction<SlotState, LockView, SlotState> event) {
        SlotState before = state;
        Optional<ContentionWatch> watch = contention();
        state = event.apply(before, new EffectRunner(this, lock));
        if (hold().isEmpty()) {
            watch.ifPresent(ContentionWatch::end);
        }
        return state != before;
    }

    // Events of requests

    /** Called when another request, or another session, requests the lock in a conflicting mode. */
    void contended() {
        contention().ifPresent(ContentionWatch::seen);
    }

    /** Called when the handle waits for a stronger mode. */
    void contendedBy(TicketHandle converting) {
        contention().ifPresent(watch -> watch.seenBy(converting));
    }

    /**
     * Another thread of this process requests the lock. A slot that is kept or promised in a mode that conflicts is released. One
     * that a later request for a permit may use stays, unless this request tries.
     */
    void unreservedFor(TicketRequest request) {
        boolean mayServeLater = request.permits() > 1 && !request.tries() && state.isReservedFor(request);
        if (!mayServeLater) {
            unreservedFor(request.mode());
        }
    }

    private void unreservedFor(LockMode mode) {
        if (state.isReservedInConflict(mode)) {
            context().recentReleases().forget(partition().lockId());
            decide(SlotState::unreserved);
        }
    }

    // Events of attempts

    /** Receives a report of the current attempt. An abandoned attempt reports nothing. */
    void reported(Report report) {
        if (report instanceof Report.TicketDrawn drawn) {
            requestsMayWait();
            lock.ticketDrawn(drawn.row());
            contendedByPermit(drawn.row());
        } else if (report instanceof Report.PauseOver) {
            decide(SlotState::restarted);
        } else if (report instanceof Report.Ended ended) {
            attemptEnded(ended.outcome());
        }
    }

    /** Called when an attempt that its requests share may have to wait for others. */
    void requestsMayWait() {
        state.requests().forEach(TicketRequest::mayWait);
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
            lock.others(this).forEach(other -> other.unreservedFor(waiting.mode()));
        }
    }

    /** The attempt that is under way, if there is one, receives something, and may end by that. */
    void notifyAttempt(Function<SlotAttempt, Optional<Outcome>> what) {
        state.underWay().flatMap(what).ifPresent(this::attemptEnded);
    }

    /** Ends the attempt. An attempt that converts a handle concerns all slots of the handle. */
    private void attemptEnded(Outcome outcome) {
        lock.events().attemptEnded(notices.number(), outcome);
    }

    /**
     * Called when sharers of a handle's slots have gone, or need a weaker mode. A conversion that waits for them may continue.
     */
    void sharersGone() {
        if (state.conversion().filter(lock::isClear).isPresent()) {
            notifyAttempt(SlotAttempt::sharersGone);
        }
    }

    // Events of handles

    /** Ends the use of this slot by a released handle that has no other slot. */
    void released(TicketHandle handle) {
        decide((state, by) -> state.released(handle));
        lowerMode();
    }

    /** Ends the use of this slot by the handle. Other handles may still use it. */
    void withdrawn(TicketHandle handle) {
        if (isUsedBy(handle)) {
            decide((state, by) -> state.withdrawn(handle, by));
            lowerMode();
        }
    }

    /** Lowers the mode of a held slot if its handles need less than before. */
    void lowerMode() {
        hold().ifPresent(hold -> {
            if (hold.leastNeeded() != hold.mode()) {
                lowerMode(hold);
            }
            lock.sharersGone();
        });
    }

    /**
     * Lowers the slot to the least mode that all its handles need (rule 2). The write of the mode is repeated until it is
     * acknowledged or the slot is over.
     */
    private void lowerMode(SlotHold hold) {
        hold.lowerMode(hold.leastNeeded());
        hold.contention().ifPresent(ContentionWatch::modeLowered);
        if (context().exchangesNotices()) {
            notices.sendMode(hold.row().row());
        }
        lock.modeLowered(hold.row().row());
        CompletableFuture<Void> tried = new CompletableFuture<>();
        refreshThen(hold.row(), () -> tried.complete(null)).refreshIfDue();
        lock.answers().after(tried);
    }

    /** Completes the future when another caller waits for this slot while this handle is held. */
    void watch(TicketHandle handle, CompletableFuture<Void> contended) {
        if (isUsedBy(handle)) {
            contention().orElseGet(this::beginContentionWatch).add(handle, contended);
            if (lock.isRequestedByOthers(this, handle) || (context().exchangesNotices() && notices.isWaitedFor())) {
                contended.complete(null);
            }
        }
    }

    private ContentionWatch beginContentionWatch() {
        SlotHold hold = held();
        ContentionWatch watch = new ContentionWatch(partition(), hold.row(), hold::isValid);
        hold.watchContention(watch);
        return watch;
    }

    /** Ends the handle, and leaves its slot taken. */
    void leftBehind(OwnRow row, TicketHandle handle, Duration atLeast) {
        long until = context().ticker().nanos() + atLeast.toNanos();
        if (isUsedBy(handle) || state.mayStayLonger(row, until)) {
            leaveBehind(row, atLeast, until);
        }
    }

    /**
     * Leaves the slot as it is at the end of the process, whose session outlives it. The slot keeps its attempt, because the
     * process still answers notices. Without an attempt, the answer would be OVER. If the write fails, the row exists until its
     * present life ends.
     */
    private void leaveBehind(OwnRow row, Duration atLeast, long until) {
        decide((state, by) -> new SlotState.LeftBehind(row, until));
        row.session().outlive(atLeast);
        lock.failWaiting();
        lock.answers().after(partition().write(row.leaveWrite(atLeast)).toCompletableFuture());
    }

    // Losses

    /** Called when a session of this process is lost. The grants are lost, and the requests begin again under a new session. */
    void sessionLost(OwnSession session, LockLoss loss) {
        Optional<SlotHold> lost = hold().filter(hold -> hold.row().belongsTo(session));
        if (lost.isPresent()) {
            lose(lost.get(), loss);
        } else {
            decide((state, by) -> state.sessionLost(session, loss, by));
        }
    }

    /** Takes the lock away from its holders, if they hold it by exactly this attempt. */
    void forceRelease(OwnSession session, long attempt, LockLoss loss) {
        hold().filter(hold -> hold.row().belongsTo(session) && hold.row().row().attempt() == attempt)
                .ifPresent(hold -> lose(hold, loss));
    }

    /** Takes the lock, and the other slots, from all handles that use this slot. */
    private void lose(SlotHold hold, LockLoss loss) {
        List<TicketHandle> lost = hold.handles();
        markLost(lost, loss);
        lost.forEach(lock::end);
        decide((state, by) -> state.vacated(hold, by));
    }

    private void markLost(List<TicketHandle> lost, LockLoss loss) {
        lost.stream()
                .filter(handle -> handle.lose(loss))
                .forEach(handle -> context().warnings().lost().warn(partition().lockId(), loss.text()));
    }

    /** Rewrites the row if it is about to expire. */
    void refreshIfDue() {
        state.writtenRow().ifPresent(row -> refreshThen(row, () -> {}).refreshIfDue());
    }

    private RowWriter refreshThen(OwnRow row, Runnable tried) {
        return new RowWriter(partition(), row, () -> isCurrent(row), () -> {
            loseIfExpired();
            tried.run();
        });
    }

    private boolean isCurrent(OwnRow row) {
        return state.writtenRow().filter(current -> current == row).isPresent();
    }

    private void loseIfExpired() {
        decide(SlotState::expired);
        hold().filter(hold -> hold.row().isExpired())
                .ifPresent(hold -> lose(
                        hold,
                        new LockLoss(
                                LockLoss.Reason.LEASE_EXPIRED,
                                "its slot may have expired, because no refresh of it was acknowledged")));
    }

    /** Called when the time of a reservation is over. */
    void timeUp(SlotState since) {
        if (state == since) {
            decide(SlotState::unreserved);
        }
    }

    /** Called when the write that releases the slot is acknowledged, or left to other sessions. */
    void releaseEnded() {
        decide((state, by) -> SlotState.Free.INSTANCE);
    }
}

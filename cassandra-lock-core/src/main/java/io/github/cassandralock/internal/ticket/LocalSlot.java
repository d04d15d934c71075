package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.ticket.attempt.Claim;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.Report;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
import io.github.cassandralock.internal.ticket.attempt.TryAttempt;
import io.github.cassandralock.internal.ticket.attempt.WaitingAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.rows.LockFacts;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.internal.ticket.table.SlotRefresh;
import io.github.cassandralock.internal.ticket.table.SlotRelease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One slot of this process in a lock's partition (protocol, sections 3 and 6). Its state decides what it is used for, and for whom. Threads
 * share it one after the other, or at the same time if their mode allows that.
 */
final class LocalSlot implements LockView {

    /*
     * Only events of the lock change the state. A slot whose attempt is over becomes vacant. Who takes it, or what else becomes of it, is
     * decided at the end of the event.
     */

    private static final Logger log = LoggerFactory.getLogger(LocalSlot.class);

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

    private LockFacts facts() {
        return partition().facts();
    }

    /** What it tells other sessions, and who waits for it. */
    SlotNotices notices() {
        return notices;
    }

    /** May be called from any thread. */
    SlotState state() {
        return state;
    }

    /** The hold, if it is held. */
    Optional<SlotHold> hold() {
        return state.held();
    }

    /** The hold. To be called only while it is held. */
    SlotHold held() {
        return hold().orElseThrow();
    }

    /** Whether the handle uses the slot. */
    boolean isUsedBy(TicketHandle handle) {
        return hold().filter(hold -> hold.has(handle)).isPresent();
    }

    private void decide(UnaryOperator<SlotState> event) {
        state = event.apply(state);
    }

    // Events of requests

    /** The thread shares the slot with those that hold it, or wait with it. */
    void joined(TicketRequest request) {
        log.debug("Lock '{}': shared with other threads of this process, without a request", lockId());
        decide(present -> present.joined(request, this));
    }

    /** The thread begins to wait with this slot, or gets it at once if it is kept in its mode. */
    void taken(TicketRequest request) {
        decide(present -> present.taken(request, this));
    }

    /** The caller of a request that waits with this slot does not wait any longer. */
    void cancelled(TicketRequest request) {
        decide(present -> present.cancelled(request, this));
    }

    /** Another request, or another session, requests the lock in a mode that conflicts. */
    void contended() {
        hold().ifPresent(SlotHold::contended);
    }

    /** The handle waits for a stronger mode. */
    void contendedBy(TicketHandle converting) {
        hold().ifPresent(hold -> hold.contendedBy(converting));
    }

    /** No thread of this process is to use the slot again if it is kept or promised. */
    void unreserved() {
        decide(present -> present.unreserved(this));
    }

    /** Another thread of this process requests the lock. A slot that is kept or promised in a mode that conflicts is released. */
    void unreservedFor(LockMode mode) {
        if (state.isReservedInConflict(mode)) {
            context().recentReleases().forget(lockId());
            unreserved();
        }
    }

    /** Another session requests the lock. Returns whether the slot was kept, and is released because of that. */
    boolean requestedElsewhere() {
        SlotState before = state;
        decide(present -> present.requestedElsewhere(this));
        return state != before;
    }

    /** If the lock was held by this slot until now, the next request of this process may get it without a write. */
    void handOver() {
        decide(present -> present.handedOver(this));
    }

    /** Decides what becomes of the slot if it is vacant, and no request has taken it. Returns whether it was vacant. */
    boolean settle() {
        SlotState before = state;
        decide(present -> present.settled(this));
        return state != before;
    }

    // Events of attempts

    /** Of the current attempt. An attempt that was abandoned reports nothing. */
    private void reported(Report report) {
        if (report instanceof Report.TicketDrawn drawn) {
            lock.ticketDrawn(drawn.row());
        } else if (report instanceof Report.PauseOver) {
            decide(present -> present.restarted(this));
        } else if (report instanceof Report.Ended ended) {
            attemptEnded(ended.outcome());
        }
    }

    /** The attempt that is under way, if there is one, receives something, and may end by that. */
    void notifyAttempt(Function<SlotAttempt, Optional<Outcome>> what) {
        state.underWay().flatMap(what).ifPresent(this::attemptEnded);
    }

    private void attemptEnded(Outcome outcome) {
        Optional<TicketRequest> conversion = state.conversion();
        decide(present -> present.ended(outcome, this));
        conversion.ifPresent(request -> hold().ifPresent(hold -> conversions().acquired(request, this, hold)));
    }

    /** Requests with this slot that have to come after an earlier one begin again. */
    void restartedBehind(Predicate<TicketRequest> hasOneBefore) {
        decide(present -> present.restartedBehind(hasOneBefore, this));
    }

    /** Sharers of a handle's slots have gone, or need less: a conversion that waits for that may continue. */
    void sharersGone() {
        if (state.conversion().filter(conversions()::isClear).isPresent()) {
            notifyAttempt(SlotAttempt::sharersGone);
        }
    }

    // Events of handles

    /** What concerns all slots of a handle. */
    Conversions conversions() {
        return new Conversions(lock);
    }

    /** The holder of the handle has released it, and its value is closed. */
    void released(TicketHandle handle) {
        if (isUsedBy(handle)
                && !held().isPartOfConversion()
                && handle.conversion().isEmpty()) {
            decide(present -> present.released(handle));
            if (hold().isPresent()) {
                lowerMode().thenRun(handle::completeRelease);
            }
        } else {
            conversions().end(handle).thenRun(handle::completeRelease);
        }
    }

    /**
     * The handle no longer uses this slot. Other handles may use it.
     *
     * @return completes when it was tried once to write that; with notices, when those that wait were told
     */
    CompletableFuture<Void> withdrawn(TicketHandle handle) {
        if (!isUsedBy(handle)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> settled = new CompletableFuture<>();
        decide(present -> present.withdrawn(handle, () -> settled.complete(null), this));
        return hold().isPresent() ? lowerMode() : settled;
    }

    /**
     * Handles need less of the slot than before: it gets the least mode that does for all of them (rule 2). If that has to be
     * written, the write is repeated until it is acknowledged or the slot is over.
     *
     * @return completes when the write was tried once
     */
    CompletableFuture<Void> lowerMode() {
        CompletableFuture<Void> tried = new CompletableFuture<>();
        Optional<SlotHold> tooStrong = hold().filter(hold -> hold.leastNeeded() != hold.mode());
        if (tooStrong.isPresent()) {
            SlotHold hold = tooStrong.get();
            hold.lowerMode(hold.leastNeeded());
            if (context().exchangesNotices()) {
                notices.sendMode(hold.row().row());
            }
            lock.modeLowered(hold.row().row());
            refreshThen(hold.row(), () -> tried.complete(null)).ifDue();
        } else {
            tried.complete(null);
        }
        lock.sharersGone();
        return tried;
    }

    /** Completes the future when somebody else waits for this slot while this handle is held. */
    void watch(TicketHandle handle, CompletableFuture<Void> contended) {
        if (isUsedBy(handle)) {
            held().watchContention(handle, contended);
            if (lock.isRequestedByOthers(this, handle) || (context().exchangesNotices() && notices.isWaitedFor())) {
                contended.complete(null);
            }
        }
    }

    /** The handle ends, and its slot stays taken. */
    CompletableFuture<?> leftBehind(OwnRow row, TicketHandle handle, Duration atLeast) {
        long until = context().ticker().nanos() + atLeast.toNanos();
        if (isUsedBy(handle)) {
            held().end(handle);
        } else if (!state.mayStayLonger(row, until)) {
            return CompletableFuture.completedFuture(null);
        }
        return leaveBehind(row, atLeast, until).toCompletableFuture();
    }

    /**
     * The process ends, and its session outlives it: the slot stays as it is. Until the process ends, it answers notices. Without
     * an attempt, its answer would be that the slot is over. If the write fails, the slot exists until its last life ends.
     */
    private CompletionStage<Long> leaveBehind(OwnRow row, Duration atLeast, long until) {
        state = new SlotState.LeftBehind(row, until);
        row.session().outlive(atLeast);
        lock.failWaiting();
        return partition().write(row.leaveWrite(atLeast));
    }

    // Losses

    /** A session of this process is lost: the grants are lost, and the requests begin again under a new session. */
    void sessionLost(OwnSession session, LockLoss loss) {
        Optional<SlotHold> lost = hold().filter(hold -> hold.row().belongsTo(session));
        if (lost.isPresent()) {
            lose(lost.get(), loss);
        } else {
            decide(present -> present.sessionLost(session, loss, this));
        }
    }

    /** Takes the lock away from its holders, if they hold it by exactly this attempt. */
    void breakHold(OwnSession session, long attempt, LockLoss loss) {
        hold().filter(hold -> hold.row().belongsTo(session) && hold.row().row().attempt() == attempt)
                .ifPresent(hold -> lose(hold, loss));
    }

    /** Handles that use the slot lose the lock, and do without their other slots. */
    private void lose(SlotHold hold, LockLoss loss) {
        List<TicketHandle> lost = hold.handles();
        hold.lose(loss);
        lost.forEach(handle -> conversions().end(handle));
        vacate(hold);
    }

    /** Nobody uses the hold any more, and no request is to inherit it. */
    void vacate(SlotHold hold) {
        decide(present -> present.vacated(hold, this));
    }

    /** Writes the slot again if it is about to expire. */
    void refreshIfDue() {
        state.writtenSlot().ifPresent(row -> refreshThen(row, () -> {}).ifDue());
    }

    private SlotRefresh refreshThen(OwnRow row, Runnable tried) {
        return new SlotRefresh(partition(), row, this::isCurrent, () -> {
            loseIfExpired();
            tried.run();
        });
    }

    private boolean isCurrent(OwnRow row) {
        return state.writtenSlot().filter(current -> current == row).isPresent();
    }

    private void loseIfExpired() {
        decide(present -> present.expired(this));
        hold().filter(hold -> hold.row().isExpired())
                .ifPresent(hold -> lose(
                        hold,
                        new LockLoss(
                                LockLoss.Reason.LEASE_EXPIRED,
                                "its slot may have expired, because no refresh of it was acknowledged")));
    }

    // What a state asks, and orders

    @Override
    public TicketContext context() {
        return partition().context();
    }

    @Override
    public String lockId() {
        return partition().lockId();
    }

    @Override
    public boolean isClosing() {
        return lock.isClosing();
    }

    @Override
    public boolean isRequestedHere(LockMode mode) {
        return lock.isRequested(mode, this);
    }

    @Override
    public boolean isRequestedElsewhere() {
        return notices.isWaitedFor();
    }

    @Override
    public Optional<TicketRequest> takeNext(LockMode mode) {
        return lock.takeNext(mode, this);
    }

    @Override
    public void requeue(List<TicketRequest> requests) {
        lock.requeue(requests);
    }

    @Override
    public void failLongWaiting(Throwable cause) {
        lock.failLongWaiting(cause);
    }

    @Override
    public SlotAttempt attempt(TicketRequest request, Optional<OwnRow> replaced) {
        Claim claim = Conversions.claim(request);
        boolean sharersGone = conversions().isClear(request);
        return claim.waits()
                ? new WaitingAttempt(notices, claim, sharersGone, replaced, this::reported)
                : new TryAttempt(notices, claim, sharersGone, replaced, this::reported);
    }

    @Override
    public SlotAttempt returningAttempt(TicketRequest request, OwnRow promised) {
        return new WaitingAttempt(notices, Claim.of(request.mode(), true), true, Optional.of(promised), this::reported);
    }

    @Override
    public SlotHold hold(Outcome.Acquired acquired) {
        return new SlotHold(partition(), acquired);
    }

    @Override
    public void grant(TicketRequest request, SlotHold hold) {
        request.granted(new TicketGrant(hold.nextHandle(), lock.events()));
    }

    @Override
    public void sendOver(OwnRow row) {
        if (row.session().isValid()) {
            sendOver(LockFacts.attemptOver(row.row()));
        }
    }

    private void sendOver(Fact over) {
        if (context().exchangesNotices()) {
            notices.sendOver(over);
        }
        lock.attemptOver(over);
    }

    @Override
    public OwnRow promise(OwnRow over) {
        OwnRow promised = over.promised(facts().nextPromisedTicket());
        facts().ticketSeen(promised.row().ticket());
        sendOver(LockFacts.of(promised.row()));
        return promised;
    }

    @Override
    public SlotRelease release(OwnRow row, Runnable tried) {
        SlotRelease release = new SlotRelease(partition(), row, tried, () -> state = SlotState.Free.INSTANCE);
        release.start();
        return release;
    }

    /** Without timers, which end with the application, the time is over at once. */
    @Override
    public void startTimer(Duration time, SlotState since) {
        context()
                .timers()
                .after(time)
                .whenCompleteAsync(
                        (done, noTimers) -> timeUp(since), partition().mailbox());
    }

    private void timeUp(SlotState since) {
        if (state == since) {
            unreserved();
        }
    }
}

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.counter.Counted;
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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One slot of this process in a lock's partition: what it is used for, and for whom (protocol, sections 3 and 6). Threads share
 * it one after the other, or at the same time if their mode allows that.
 */
final class LocalSlot {

    /*
     * Only events of the lock change the state, and only by the methods under "transitions". A slot whose attempt is over becomes vacant.
     * Who takes it, or what else becomes of it, is decided at the end of the event.
     */

    private static final Logger log = LoggerFactory.getLogger(LocalSlot.class);
    private static final SlotState FREE = new SlotState.Free();

    private final SlotNotices notices;
    private final LocalState lock;
    private volatile SlotState state = FREE;

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

    private TicketContext context() {
        return partition().context();
    }

    private String lockId() {
        return partition().lockId();
    }

    // What it is used for

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
        return state instanceof SlotState.Held held ? Optional.of(held.hold()) : Optional.empty();
    }

    /** The hold. To be called only while it is held. */
    SlotHold held() {
        return hold().orElseThrow();
    }

    /** Whether a thread of this process waits with this slot. */
    Optional<SlotAttempt> attempt() {
        return state instanceof SlotState.Acquiring acquiring ? Optional.of(acquiring.attempt()) : Optional.empty();
    }

    // Events

    /** The thread shares the slot with those that hold it, or wait with it. */
    void share(TicketRequest waiter) {
        log.debug("Lock '{}': shared with other threads of this process, without a request", lockId());
        if (state instanceof SlotState.Acquiring acquiring) {
            state = acquiring.with(waiter);
        } else {
            grantNext(waiter, held());
        }
    }

    /** The thread begins to wait with this slot, or gets it at once if it is kept in its mode. */
    void begin(TicketRequest waiter) {
        if (state instanceof SlotState.Kept kept) {
            beginWithKept(waiter, kept.hold());
        } else if (state instanceof SlotState.Promised promised) {
            beginWithPromised(waiter, promised.promised());
        } else if (state instanceof SlotState.Vacant vacant) {
            beginWithVacant(waiter, vacant);
        } else if (state instanceof SlotState.Releasing releasing) {
            releasing.release().replaced();
            acquire(waiter, Optional.of(releasing.release().slot()));
        } else {
            acquire(waiter, Optional.empty());
        }
    }

    /** A thread that waits with this slot gives up. */
    void leave(TicketRequest waiter) {
        SlotState.Acquiring left = ((SlotState.Acquiring) state).without(waiter);
        Optional<TicketRequest> next =
                waiter.tries() || waiter.isConversion() || !left.requests().isEmpty()
                        ? Optional.empty()
                        : lock.next(waiter.mode(), this);
        SlotState.Acquiring present = next.map(left::with).orElse(left);
        state = present;
        if (present.requests().isEmpty()) {
            present.attempt().giveUp();
            vacate(present.attempt().rowToRelease());
        }
    }

    /** Another request, or another session, wants the lock in a mode that conflicts. */
    void contended() {
        hold().ifPresent(SlotHold::contended);
    }

    /** No thread of this process is to use the slot again if it is kept or promised. */
    void giveUpUnused() {
        state.unusedSlot().ifPresent(slot -> vacate(Optional.of(slot)));
    }

    /** The same if another thread of this process wants the lock in a mode that conflicts. */
    void giveUpUnusedAgainst(LockMode mode) {
        if (state.isReservedInConflict(mode)) {
            context().recentReleases().forget(lockId());
            giveUpUnused();
        }
    }

    /** The slot is kept, and another session wants the lock. */
    void giveUpKept() {
        if (state instanceof SlotState.Kept) {
            context().recentReleases().forget(lockId());
            giveUpUnused();
        }
    }

    /** The handle waits for a stronger mode. */
    void contendedBy(TicketHandle converting) {
        hold().ifPresent(hold -> hold.contendedBy(converting));
    }

    // What handles ask

    /** The holder of the handle has released it, and its value is closed. */
    void released(TicketHandle handle) {
        Optional<SlotHold> own = hold().filter(hold -> hold.has(handle) && !hold.isPartOfConversion());
        if (own.isPresent() && handle.conversion().isEmpty()) {
            release(own.get(), handle);
        } else {
            conversions().end(handle).thenRun(handle::completeRelease);
        }
    }

    private void release(SlotHold hold, TicketHandle handle) {
        if (hold.end(handle)) {
            state = new SlotState.Vacant(hold.row(), hold, handle::completeRelease);
        } else {
            lowerMode().thenRun(handle::completeRelease);
        }
    }

    /** What concerns all slots of a handle. */
    Conversions conversions() {
        return new Conversions(lock);
    }

    /** Completes the future when somebody else waits for this slot while this handle is held. */
    void watch(TicketHandle handle, CompletableFuture<Void> contended) {
        hold().filter(hold -> hold.has(handle)).ifPresent(hold -> {
            hold.watchContention(handle, contended);
            if (lock.isRequestedByOthers(this, handle) || (context().exchangesNotices() && notices.isWaitedFor())) {
                contended.complete(null);
            }
        });
    }

    /**
     * The handle does without this slot. Others may use it still.
     *
     * @return completes when it was tried once to write that; with notices, when those that wait were told
     */
    CompletableFuture<Void> release(TicketHandle handle) {
        Optional<SlotHold> own = hold().filter(hold -> hold.has(handle));
        if (own.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        if (!own.get().end(handle)) {
            return lowerMode();
        }
        CompletableFuture<Void> settled = new CompletableFuture<>();
        vacate(own.get().row(), () -> settled.complete(null));
        return settled;
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

    /** The handle ends, and its slot stays taken. */
    CompletableFuture<?> leaveBehind(OwnRow row, TicketHandle handle, Duration atLeast) {
        Optional<SlotHold> own = hold().filter(hold -> hold.has(handle));
        if (own.isPresent()) {
            own.get().end(handle);
            return leave(row, atLeast).toCompletableFuture();
        }
        return state instanceof SlotState.LeftBehind left
                        && row == left.slot()
                        && left.until() - context().ticker().nanos() < atLeast.toNanos()
                ? leave(left.slot(), atLeast).toCompletableFuture()
                : CompletableFuture.completedFuture(null);
    }

    /** A session of this process is lost: the grants are lost, and the waiters begin again under a new session. */
    void sessionLost(OwnSession session, String reason) {
        if (state instanceof SlotState.Acquiring acquiring
                && acquiring.attempt().isLostWith(session)) {
            acquiring.attempt().abandon();
            if (acquiring.attempt().isConversion()) {
                acquiring.first().failed(new IllegalStateException("the lock is lost: " + reason));
            } else {
                lock.putBack(acquiring.requests());
            }
            state = FREE;
        } else if (state instanceof SlotState.Held held && held.hold().row().belongsTo(session)) {
            lose(held.hold(), reason);
        } else if (state instanceof SlotState.Releasing releasing
                && releasing.release().slot().belongsTo(session)) {
            releasing.release().replaced();
            state = FREE;
        } else if (state instanceof SlotState.LeftBehind left && left.slot().belongsTo(session)) {
            state = FREE;
        } else if (state.unusedSlot().filter(slot -> slot.belongsTo(session)).isPresent()) {
            state = FREE;
        } else if (state instanceof SlotState.Vacant vacant && vacant.row().belongsTo(session)) {
            state = FREE;
            vacant.settled().run();
        }
    }

    /**
     * Earlier requests have lost their tickets. A thread that waits with this slot, has no ticket yet, and has to come after one of
     * them, begins again.
     *
     * @param comesAfterOne whether a thread has to come after one of those that wait for a slot
     */
    void giveWay(Predicate<TicketRequest> comesAfterOne) {
        if (state instanceof SlotState.Acquiring acquiring
                && !acquiring.attempt().hasTicket()
                && !acquiring.attempt().isConversion()
                && acquiring.requests().stream().anyMatch(comesAfterOne)) {
            beginAgain();
        }
    }

    /** Sharers of a handle's slots have gone, or need less: a conversion that waits for that may go on. */
    void sharersGone() {
        if (state instanceof SlotState.Acquiring acquiring
                && acquiring.attempt().isConversion()
                && conversions().isClear(acquiring.first())) {
            notifyAttempt(SlotAttempt::sharersGone);
        }
    }

    /** The attempt that is under way, if there is one, receives something, and may end by that. */
    void notifyAttempt(Function<SlotAttempt, Optional<Outcome>> what) {
        attempt().flatMap(what).ifPresent(this::attemptEnded);
    }

    /** Takes the lock away from its holders, if they hold it by exactly this attempt. */
    void breakHold(OwnSession session, long attempt, String reason) {
        if (state instanceof SlotState.Held held
                && held.hold().row().belongsTo(session)
                && held.hold().row().row().attempt() == attempt) {
            lose(held.hold(), reason);
        }
    }

    /** Writes the slot again if it is about to expire. */
    void refreshIfDue() {
        state.writtenSlot().ifPresent(slot -> refreshThen(slot, () -> {}).ifDue());
    }

    private SlotRefresh refreshThen(OwnRow slot, Runnable tried) {
        return new SlotRefresh(partition(), slot, this::isCurrent, () -> {
            loseIfExpired();
            tried.run();
        });
    }

    private boolean isCurrent(OwnRow slot) {
        return state.writtenSlot().filter(current -> current == slot).isPresent();
    }

    private void loseIfExpired() {
        if (state instanceof SlotState.Kept kept && kept.hold().row().isExpired()) {
            vacate(Optional.of(kept.hold().row()));
        } else if (state instanceof SlotState.Held held && held.hold().row().isExpired()) {
            lose(held.hold(), "its slot may have expired, because no refresh of it was acknowledged");
        }
    }

    // Transitions

    private void beginWithKept(TicketRequest waiter, SlotHold hold) {
        if (hold.mode() == waiter.mode() && hold.mayBeKept()) {
            log.debug("Lock '{}': had been kept, and is granted without a request", lockId());
            state = new SlotState.Held(hold);
            grantNext(waiter, hold);
        } else {
            tellOver(hold.row());
            acquire(waiter, Optional.of(hold.row()));
        }
    }

    private void beginWithPromised(TicketRequest waiter, OwnRow promised) {
        if (mayReturn(waiter, promised)) {
            comeBackAs(waiter, promised);
        } else {
            tellOver(promised);
            acquire(waiter, Optional.of(promised));
        }
    }

    /** The release and the way back to the lock are one write, if that is possible. */
    private void beginWithVacant(TicketRequest waiter, SlotState.Vacant vacant) {
        OwnRow row = vacant.row();
        boolean wasHeld = vacant.hold() != null;
        if (wasHeld && context().exchangesNotices() && row.isValid() && mayReturn(waiter, row)) {
            comeBackAs(waiter, promise(row));
        } else {
            if (wasHeld) {
                tellOver(row);
            }
            acquire(waiter, Optional.of(row));
        }
        vacant.settled().run();
    }

    private static boolean mayReturn(TicketRequest waiter, OwnRow slot) {
        return !waiter.tries()
                && !waiter.isConversion()
                && waiter.mode() == slot.row().mode();
    }

    /** Decides that the slot's attempt is over, and which one replaces it: others are told its number and its ticket. */
    private OwnRow promise(OwnRow slot) {
        OwnRow promised = slot.promised(facts().nextPromisedTicket());
        facts().ticketSeen(promised.row().ticket());
        tell(LockFacts.of(promised.row()));
        return promised;
    }

    private void comeBackAs(TicketRequest waiter, OwnRow promised) {
        SlotAttempt attempt =
                new WaitingAttempt(notices, Claim.of(waiter.mode(), true), true, Optional.of(promised), this::reported);
        state = SlotState.Acquiring.begun(attempt, List.of(waiter));
        attempt.startReturning(promised);
    }

    private void acquire(TicketRequest waiter, Optional<OwnRow> leftOver) {
        newAttempt(List.of(waiter), leftOver).start();
    }

    private SlotAttempt newAttempt(List<TicketRequest> waiters, Optional<OwnRow> leftOver) {
        TicketRequest first = waiters.get(0);
        Claim claim = Conversions.claim(first);
        boolean sharersGone = conversions().isClear(first);
        SlotAttempt attempt = claim.waits()
                ? new WaitingAttempt(notices, claim, sharersGone, leftOver, this::reported)
                : new TryAttempt(notices, claim, sharersGone, leftOver, this::reported);
        state = SlotState.Acquiring.begun(attempt, waiters);
        return attempt;
    }

    /** Of the current attempt. An attempt that was abandoned reports nothing. */
    private void reported(Report report) {
        if (report instanceof Report.TicketDrawn drawn) {
            lock.ticketDrawn(drawn.row());
        } else if (report instanceof Report.PauseOver) {
            beginAgain();
        } else if (report instanceof Report.Ended ended) {
            attemptEnded(ended.outcome());
        }
    }

    private void attemptEnded(Outcome outcome) {
        SlotState.Acquiring acquiring = (SlotState.Acquiring) state;
        if (outcome instanceof Outcome.Acquired acquired) {
            SlotHold hold = new SlotHold(partition(), acquired);
            state = new SlotState.Held(hold);
            if (acquiring.attempt().isConversion()) {
                conversions().acquired(acquiring.first(), this, hold);
            } else {
                acquiring.requests().forEach(waiter -> grantNext(waiter, hold));
            }
        } else if (outcome instanceof Outcome.Refused) {
            acquiring.first().refused();
            vacate(acquiring.attempt().rowToRelease());
        } else if (outcome instanceof Outcome.SlotLost lost) {
            startOver(acquiring, lost.reason());
        } else if (outcome instanceof Outcome.Failed failed) {
            acquiring.first().failed(failed.cause());
            lock.putBack(acquiring.without(acquiring.first()).requests());
            lock.failLongWaiting(failed.cause());
            vacate(acquiring.attempt().rowToRelease());
        }
    }

    private void startOver(SlotState.Acquiring acquiring, String reason) {
        log.info("The attempt on lock '{}' starts over: {}", lockId(), reason);
        Optional<OwnRow> leftOver = acquiring.attempt().rowToRelease();
        if (acquiring.first().tries()) {
            acquiring.first().refused();
            vacate(leftOver);
        } else {
            leftOver.ifPresent(this::tellOver);
            newAttempt(acquiring.requests(), leftOver)
                    .pause(context().settings().poll().max());
        }
    }

    /** Those that came earlier, and have to begin again as well, go first. */
    private void beginAgain() {
        SlotState.Acquiring paused = (SlotState.Acquiring) state;
        paused.attempt().abandon();
        if (paused.attempt().isConversion()) {
            acquire(paused.first(), paused.attempt().rowToRelease());
        } else {
            lock.putBack(paused.requests());
            vacate(paused.attempt().rowToRelease());
        }
    }

    private void grantNext(TicketRequest waiter, SlotHold hold) {
        waiter.granted(new TicketGrant(hold.nextHandle(), lock.events()));
    }

    /** If the lock was held by this slot until now, the next request of this process may get it without a write. */
    void handOver() {
        if (state instanceof SlotState.Vacant vacant && mayHandOver(vacant.hold())) {
            lock.next(vacant.row().row().mode(), this).ifPresent(next -> handOver(next, vacant));
        }
    }

    private static boolean mayHandOver(@Nullable SlotHold hold) {
        return hold != null && hold.mayBeHandedOver() && hold.row().isValid();
    }

    private void handOver(TicketRequest next, SlotState.Vacant vacant) {
        SlotHold hold = Objects.requireNonNull(vacant.hold());
        context().counters().add(Counted.HANDED_OVER);
        log.debug("Lock '{}': handed over to the next thread of this process, without a request", lockId());
        state = new SlotState.Held(hold);
        vacant.settled().run();
        grantNext(next, hold);
    }

    /** A slot that is vacant, and that no request has taken, is promised, kept or released. Returns whether it was vacant. */
    boolean settle() {
        if (state instanceof SlotState.Vacant vacant) {
            settle(vacant);
            return true;
        }
        return false;
    }

    /** With notices, the releasing thread does not wait for the write: those that wait for the slot have been told. */
    private void settle(SlotState.Vacant vacant) {
        SlotHold hold = vacant.hold();
        if (hold == null) {
            release(vacant);
        } else if (!mayBeUsedAgain(hold)) {
            tellOver(hold.row());
            release(vacant);
        } else if (notices.isWaitedFor() || hold.isContended()) {
            context().recentReleases().forget(lockId());
            waitForReturn(promise(hold.row()), hold.returnWindow());
            vacant.settled().run();
        } else if (context()
                        .recentReleases()
                        .wasReleasedLately(lockId(), context().ticker().nanos())
                && hold.mayBeKept()) {
            keep(hold);
            vacant.settled().run();
        } else {
            tellOver(hold.row());
            release(vacant);
        }
    }

    private boolean mayBeUsedAgain(SlotHold hold) {
        return context().exchangesNotices()
                && hold.row().isValid()
                && !lock.isClosing()
                && !lock.isRequested(hold.mode(), this);
    }

    private void waitForReturn(OwnRow promised, Duration window) {
        SlotState.Promised waiting = new SlotState.Promised(promised);
        state = waiting;
        after(window, waiting, promised);
    }

    private void keep(SlotHold hold) {
        log.debug("Lock '{}': kept for the next thread of this process", lockId());
        SlotState.Kept kept = new SlotState.Kept(hold);
        state = kept;
        after(hold.keptFor(), kept, hold.row());
    }

    /** Without timers, which end with the application, the slot is given up at once. */
    private void after(Duration time, SlotState waiting, OwnRow slot) {
        context()
                .timers()
                .after(time)
                .whenCompleteAsync(
                        (done, noTimers) -> {
                            if (state == waiting) {
                                vacate(Optional.of(slot));
                            }
                        },
                        partition().mailbox());
    }

    /** Handles that use the slot lose the lock, and let their other slots go. */
    private void lose(SlotHold hold, String reason) {
        List<TicketHandle> lost = hold.handles();
        hold.lose(reason);
        lost.forEach(handle -> conversions().end(handle));
        if (state instanceof SlotState.Held held && held.hold() == hold) {
            vacate(Optional.of(hold.row()));
        }
    }

    /** The attempt is over without a hold that may be used again: others are told. */
    void vacate(Optional<OwnRow> slot) {
        slot.ifPresentOrElse(row -> vacate(row, () -> {}), () -> state = FREE);
    }

    private void vacate(OwnRow row, Runnable settled) {
        tellOver(row);
        state = new SlotState.Vacant(row, null, settled);
    }

    /** From now on only W1 may follow. Nothing is told by a session that is lost. */
    private void tellOver(OwnRow slot) {
        if (slot.session().isValid()) {
            tell(LockFacts.attemptOver(slot.row()));
        }
    }

    private void tell(Fact over) {
        if (context().exchangesNotices()) {
            notices.sendOver(over);
        }
        lock.attemptOver(over);
    }

    /** Nothing is written for a session that is lost: others evict its slots. */
    private void release(SlotState.Vacant vacant) {
        boolean isAwaited = !context().exchangesNotices();
        if (vacant.row().session().isValid()) {
            SlotRelease release = new SlotRelease(
                    partition(), vacant.row(), isAwaited ? vacant.settled() : () -> {}, () -> state = FREE);
            state = new SlotState.Releasing(release);
            release.start();
        } else {
            state = FREE;
        }
        if (!isAwaited || state.isFree()) {
            vacant.settled().run();
        }
    }

    /**
     * The process ends, and its session outlives it: the slot stays as it is. Until then it still answers notices, because
     * a session that has no attempt would tell others that its slot is over. If the write fails, the slot exists for as long as
     * its last write said.
     */
    private CompletionStage<Long> leave(OwnRow slot, Duration atLeast) {
        state = new SlotState.LeftBehind(slot, context().ticker().nanos() + atLeast.toNanos());
        slot.session().outlive(atLeast);
        lock.failAll();
        return partition().write(slot.leaveWrite(atLeast));
    }
}

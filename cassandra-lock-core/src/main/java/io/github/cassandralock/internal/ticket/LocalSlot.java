package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.attempt.Claim;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
import io.github.cassandralock.internal.ticket.attempt.TryAttempt;
import io.github.cassandralock.internal.ticket.attempt.WaitingAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.rows.LockFacts;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.internal.ticket.table.SlotRefresh;
import io.github.cassandralock.internal.ticket.table.SlotRelease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One slot of this process in a lock's partition: what it is used for, and for whom (protocol, sections 3 and 6). Threads share
 * it one after the other, or at the same time if their mode allows that.
 */
final class LocalSlot {

    /*
     * Only tasks of the lock's mailbox change the state, and only by the methods under "transitions". That an attempt is over, and
     * what replaces it, is one decision: a transition tells it before anything is written.
     */

    /** The requests of this process for the lock, as far as one of its slots needs them. */
    interface Requests {

        /** Takes out the next request in this mode, if no request that conflicts came before it and still waits. */
        Optional<TicketRequest> next(LockMode mode, LocalSlot slot);

        /** Puts requests back to their places, because their attempt has come to nothing. */
        void putBack(Collection<TicketRequest> begun);

        /** Fails the requests that have waited for a lease or longer. */
        void failLongWaiting(Throwable cause);

        /** Fails all requests that wait, because a slot stays taken although the process ends. */
        void failAll();

        /** Something has changed: other requests may begin now. Some may begin with this slot. */
        void goOn();

        /** Whether a request waits, or another slot is about to get the lock in a mode that conflicts with this one. */
        boolean isWanted(LocalSlot slot);

        /** Does the same, apart from conversions of this handle. */
        boolean isWantedByOthers(LocalSlot slot, TicketHandle handle);

        /** The slots of the handle that it holds, from the bottom up. */
        List<LocalSlot> slots(TicketHandle handle);

        /** The slot with this row. */
        LocalSlot slot(OwnRow row);

        /** Finds deadlocks; empty if that is switched off. */
        Optional<Deadlocks> deadlocks();

        /** Whether all slots are to be given up. */
        boolean isSettling();

        /** The attempt of one slot has drawn its ticket: the attempts of the others learn that. */
        void drew(Slot row);

        /** The attempt of one slot is over: the attempts of the others learn that. */
        void over(Fact fact);

        /** The slot is not used any more, or is left behind. */
        void ended();

        /** A conversion up begins, with a slot of its own. */
        void beginConversion(TicketRequest waiter);

        /** The caller of a request does not wait for it any longer. May be called from any thread. */
        void leave(TicketRequest waiter);

        /** A conversion up, which was told that, ends without the lock. */
        void end(TicketRequest conversion);

        /** A slot has become weaker: the attempts of the others learn that. */
        void modeLowered(Slot row);

        /** Fewer threads use a slot, or need less of it: conversions may have waited for that. */
        void sharersGone();
    }

    private static final Logger log = LoggerFactory.getLogger(LocalSlot.class);
    private static final SlotState FREE = new SlotState.Free();

    private final SlotNotices notices;
    private final Requests requests;
    private volatile SlotState state = FREE;

    LocalSlot(SlotNotices notices, Requests requests) {
        this.notices = notices;
        this.requests = requests;
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

    boolean isFree() {
        return state instanceof SlotState.Free;
    }

    boolean isLeft() {
        return state instanceof SlotState.Left;
    }

    /** Whether a thread that uses it wants or holds the lock in a mode that conflicts with this one. */
    boolean conflictsWith(LockMode mode) {
        return state.usedMode().filter(used -> !used.isCompatibleWith(mode)).isPresent();
    }

    /** The same, if that thread still waits. */
    boolean waitsAgainst(LockMode mode) {
        return state instanceof SlotState.Acquiring && conflictsWith(mode);
    }

    /** The same, and it is not that of a conversion. */
    boolean waitsPlainlyAgainst(LockMode mode) {
        return waitsAgainst(mode) && !isConverted();
    }

    /** The threads that wait with this slot. */
    Stream<TicketRequest> waiters() {
        return state instanceof SlotState.Acquiring acquiring ? acquiring.waiters().stream() : Stream.empty();
    }

    /** Whether it is that of a conversion of this handle. */
    boolean converts(TicketHandle handle) {
        return state instanceof SlotState.Acquiring acquiring
                && acquiring.waiters().stream()
                        .anyMatch(waiter ->
                                waiter.converted().filter(handle::equals).isPresent());
    }

    /** The hold, if it is held. */
    Optional<SlotHold> hold() {
        return state instanceof SlotState.Held held ? Optional.of(held.hold()) : Optional.empty();
    }

    /** The hold. To be called only while it is held. */
    SlotHold held() {
        return hold().orElseThrow();
    }

    /** Whether it waits for a mode that conflicts, and the place of its thread in the queue is not certain yet. */
    boolean choosesAgainst(LockMode mode) {
        return state instanceof SlotState.Acquiring acquiring
                && conflictsWith(mode)
                && !acquiring.attempt().hasTicket();
    }

    /** Whether threads get it one after the other in this mode, so that another one has to wait for it. */
    boolean isHandedOverIn(LockMode mode) {
        return !mode.isCompatibleWith(mode)
                && !isConverted()
                && state.usedMode().filter(mode::equals).isPresent();
    }

    private boolean isConverted() {
        return hold().map(SlotHold::isPartOfConversion)
                .orElseGet(() -> attempt().filter(SlotAttempt::isConversion).isPresent());
    }

    /** Whether this thread may hold the lock together with those that hold it with this slot. */
    boolean isHeldFor(TicketRequest waiter) {
        return waiter.mode().isCompatibleWith(waiter.mode())
                && hold().filter(hold -> hold.mode() == waiter.mode()
                                && hold.mayBeHandedOver()
                                && hold.row().isValid())
                        .isPresent();
    }

    /**
     * Whether this thread may wait for the lock together with those that wait with this slot. Sessions elsewhere may wait behind
     * it, so that how long after the first thread others may come is bounded.
     */
    boolean mayBeWaitedWithBy(TicketRequest waiter) {
        return state instanceof SlotState.Acquiring acquiring
                && acquiring.attempt().mode() == waiter.mode()
                && !acquiring.attempt().isConversion()
                && waiter.mode().isCompatibleWith(waiter.mode())
                && !waiter.tries()
                && !acquiring.first().tries()
                && acquiring.waiters().size() < TicketSettings.TOKENS
                && waiter.arrivedAt() - acquiring.since()
                        < context().settings().maxDuration().toNanos();
    }

    /** Whether no thread uses it, and it is kept, or promised, in this mode. */
    boolean isUnusedIn(LockMode mode) {
        return state.unusedSlot().filter(slot -> slot.row().mode() == mode).isPresent();
    }

    /** The same in a mode that conflicts. */
    boolean isUnusedAgainst(LockMode mode) {
        return state.unusedSlot()
                .filter(slot -> !slot.row().mode().isCompatibleWith(mode))
                .isPresent();
    }

    /** Whether a write that begins an attempt with this slot spares the write that releases it. */
    boolean isBeingReleased() {
        return state instanceof SlotState.Over || state instanceof SlotState.Releasing;
    }

    /** Whether a thread of this process waits with this slot. */
    Optional<SlotAttempt> attempt() {
        return state instanceof SlotState.Acquiring acquiring ? Optional.of(acquiring.attempt()) : Optional.empty();
    }

    boolean isWantedBy(TicketRequest waiter) {
        return state instanceof SlotState.Acquiring acquiring
                && acquiring.waiters().contains(waiter);
    }

    /** The present attempt, if another session is right in taking it for the one that it waits for. */
    Optional<OwnRow> live(OwnSession own) {
        return state.liveSlot().filter(slot -> slot.belongsTo(own));
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
        } else if (state instanceof SlotState.Returning returning) {
            beginWithPromised(waiter, returning.promised());
        } else if (state instanceof SlotState.Over over) {
            beginAfter(waiter, over);
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
                waiter.tries() || waiter.isConversion() || !left.waiters().isEmpty()
                        ? Optional.empty()
                        : requests.next(waiter.mode(), this);
        SlotState.Acquiring present = next.map(left::with).orElse(left);
        state = present;
        if (present.waiters().isEmpty()) {
            present.attempt().giveUp();
            passOn(present.attempt().rowToRelease());
        } else {
            requests.goOn();
        }
    }

    /** Another request, or another session, wants the lock in a mode that conflicts. */
    void contended() {
        hold().ifPresent(SlotHold::contended);
    }

    /** No thread of this process is to use the slot again if it is kept or promised. */
    void giveUpUnused() {
        state.unusedSlot().ifPresent(slot -> passOn(Optional.of(slot)));
    }

    /** The same if another thread of this process wants the lock in a mode that conflicts. */
    void giveUpUnusedAgainst(LockMode mode) {
        if (isUnusedAgainst(mode)) {
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

    // What grants ask that began with this slot; may be called from any thread

    /** The holder of the grant has released it. */
    void released(TicketGrant grant) {
        partition()
                .mailbox()
                .execute(() -> grant.closeValueThen(() -> {
                    TicketHandle handle = grant.handle();
                    Optional<SlotHold> own = hold().filter(hold -> hold.has(handle) && !hold.isPartOfConversion());
                    if (own.isPresent() && handle.conversion().isEmpty()) {
                        release(own.get(), handle);
                    } else {
                        conversions().end(handle).thenRun(handle::completeRelease);
                    }
                }));
    }

    private void release(SlotHold hold, TicketHandle handle) {
        if (hold.end(handle)) {
            handOverOrRelease(hold, handle);
        } else {
            lowerMode().thenRun(handle::completeRelease);
        }
    }

    /** What concerns all slots of a handle. */
    Conversions conversions() {
        return new Conversions(partition(), requests);
    }

    // What handles of several slots ask

    /** Completes the future when somebody else waits for this slot while this handle is held. */
    void watch(TicketHandle handle, CompletableFuture<Void> contended) {
        hold().filter(hold -> hold.has(handle)).ifPresent(hold -> {
            hold.watchContention(handle, contended);
            if (requests.isWantedByOthers(this, handle) || (context().exchangesNotices() && notices.isWaitedFor())) {
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
        CompletableFuture<Void> tried = passOn(Optional.of(own.get().row()));
        return context().exchangesNotices() ? CompletableFuture.completedFuture(null) : tried;
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
            requests.modeLowered(hold.row().row());
            refreshThen(hold.row(), () -> tried.complete(null)).ifDue();
        } else {
            tried.complete(null);
        }
        requests.sharersGone();
        requests.goOn();
        return tried;
    }

    /** The handle ends, and its slot stays taken. */
    CompletableFuture<?> leaveBehind(OwnRow row, TicketHandle handle, Duration atLeast) {
        Optional<SlotHold> own = hold().filter(hold -> hold.has(handle));
        if (own.isPresent()) {
            own.get().end(handle);
            return leave(row, atLeast).toCompletableFuture();
        }
        return state instanceof SlotState.Left left
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
                requests.putBack(acquiring.waiters());
            }
            end();
        } else if (state instanceof SlotState.Held held && held.hold().row().belongsTo(session)) {
            lose(held.hold(), reason);
        } else if (state instanceof SlotState.Releasing releasing
                && releasing.release().slot().belongsTo(session)) {
            releasing.release().replaced();
            end();
        } else if (state instanceof SlotState.Left left && left.slot().belongsTo(session)) {
            end();
        } else if (state.unusedSlot().filter(slot -> slot.belongsTo(session)).isPresent()) {
            end();
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
                && acquiring.waiters().stream().anyMatch(comesAfterOne)) {
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
    void notifyAttempt(Function<SlotAttempt, Optional<SlotAttempt.Outcome>> what) {
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
            passOn(Optional.of(kept.hold().row()));
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
    private void beginAfter(TicketRequest waiter, SlotState.Over over) {
        OwnRow slot = over.slot();
        if (over.mayReturn() && context().exchangesNotices() && slot.isValid() && mayReturn(waiter, slot)) {
            comeBackAs(waiter, promise(slot));
        } else {
            if (over.mayReturn()) {
                tellOver(slot);
            }
            acquire(waiter, Optional.of(slot));
        }
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
    private void reported(SlotAttempt.Report report) {
        if (report instanceof SlotAttempt.Report.TicketDrawn drawn) {
            requests.drew(drawn.row());
        } else if (report instanceof SlotAttempt.Report.TicketAcknowledged) {
            requests.goOn();
        } else if (report instanceof SlotAttempt.Report.PauseOver) {
            beginAgain();
        } else if (report instanceof SlotAttempt.Report.Ended ended) {
            attemptEnded(ended.outcome());
        }
    }

    private void attemptEnded(SlotAttempt.Outcome outcome) {
        SlotState.Acquiring acquiring = (SlotState.Acquiring) state;
        if (outcome instanceof SlotAttempt.Outcome.Acquired acquired) {
            SlotHold hold = new SlotHold(partition(), acquired);
            state = new SlotState.Held(hold);
            if (acquiring.attempt().isConversion()) {
                conversions().acquired(acquiring.first(), this, hold);
            } else {
                acquiring.waiters().forEach(waiter -> grantNext(waiter, hold));
            }
            requests.goOn();
        } else if (outcome instanceof SlotAttempt.Outcome.Refused) {
            acquiring.first().refused();
            passOn(acquiring.attempt().rowToRelease());
        } else if (outcome instanceof SlotAttempt.Outcome.SlotLost lost) {
            startOver(acquiring, lost.reason());
        } else if (outcome instanceof SlotAttempt.Outcome.Failed failed) {
            acquiring.first().failed(failed.cause());
            requests.putBack(acquiring.without(acquiring.first()).waiters());
            requests.failLongWaiting(failed.cause());
            passOn(acquiring.attempt().rowToRelease());
        }
    }

    private void startOver(SlotState.Acquiring acquiring, String reason) {
        log.info("The attempt on lock '{}' starts over: {}", lockId(), reason);
        Optional<OwnRow> leftOver = acquiring.attempt().rowToRelease();
        if (acquiring.first().tries()) {
            acquiring.first().refused();
            passOn(leftOver);
        } else {
            leftOver.ifPresent(this::tellOver);
            newAttempt(acquiring.waiters(), leftOver)
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
            requests.putBack(paused.waiters());
            passOn(paused.attempt().rowToRelease());
        }
    }

    private void grantNext(TicketRequest waiter, SlotHold hold) {
        waiter.granted(new TicketGrant(hold.nextHandle(), this));
    }

    private void handOverOrRelease(SlotHold hold, TicketHandle handle) {
        Optional<TicketRequest> next =
                hold.mayBeHandedOver() && hold.row().isValid() ? requests.next(hold.mode(), this) : Optional.empty();
        if (next.isPresent()) {
            context().counters().add(Counted.HANDED_OVER);
            log.debug("Lock '{}': handed over to the next thread of this process, without a request", lockId());
            handle.completeRelease();
            grantNext(next.get(), hold);
            requests.goOn();
        } else if (requests.isWanted(this)) {
            comeBack(hold.row());
            handle.completeRelease();
        } else {
            releaseOrKeep(hold, handle);
        }
    }

    /** The slot was acquired, and is over. A request of this process may replace its content. */
    private void comeBack(OwnRow slot) {
        state = new SlotState.Over(slot, true);
        requests.goOn();
        releaseIfOver();
    }

    private void releaseOrKeep(SlotHold hold, TicketHandle handle) {
        if (!context().exchangesNotices()) {
            tellOver(hold.row());
            release(hold.row(), handle::completeRelease);
        } else {
            releaseOrKeep(hold);
            handle.completeRelease();
        }
    }

    /** With notices, the releasing thread does not wait for the write: those that wait for the slot have been told. */
    private void releaseOrKeep(SlotHold hold) {
        if (!hold.row().isValid() || requests.isSettling()) {
            passOn(Optional.of(hold.row()));
        } else if (notices.isWaitedFor() || hold.isContended()) {
            context().recentReleases().forget(lockId());
            waitForReturn(promise(hold.row()), hold.returnWindow());
        } else if (context()
                        .recentReleases()
                        .wasReleasedLately(lockId(), context().ticker().nanos())
                && hold.mayBeKept()) {
            keep(hold);
        } else {
            passOn(Optional.of(hold.row()));
        }
    }

    private void waitForReturn(OwnRow promised, Duration window) {
        SlotState.Returning returning = new SlotState.Returning(promised);
        state = returning;
        after(window, returning, promised);
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
                                passOn(Optional.of(slot));
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
            passOn(Optional.of(hold.row()));
        }
    }

    /**
     * If a request of this process may begin with this slot, its W1 replaces the slot's content. If not, the slot is released.
     *
     * @return completes when the release was tried once; at once if there is none
     */
    CompletableFuture<Void> passOn(Optional<OwnRow> slot) {
        slot.ifPresent(this::tellOver);
        state = slot.<SlotState>map(over -> new SlotState.Over(over, false)).orElse(FREE);
        requests.goOn();
        CompletableFuture<Void> tried = releaseIfOver();
        if (isFree()) {
            requests.ended();
        }
        return tried;
    }

    private CompletableFuture<Void> releaseIfOver() {
        if (!(state instanceof SlotState.Over over)) {
            return CompletableFuture.completedFuture(null);
        }
        if (over.mayReturn()) {
            tellOver(over.slot());
        }
        CompletableFuture<Void> tried = new CompletableFuture<>();
        release(over.slot(), () -> tried.complete(null));
        return tried;
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
        requests.over(over);
    }

    /** Nothing is written for a session that is lost: others evict its slots. */
    private void release(OwnRow slot, Runnable firstTryEnded) {
        if (slot.session().isValid()) {
            SlotRelease release = new SlotRelease(partition(), slot, firstTryEnded, this::end);
            state = new SlotState.Releasing(release);
            release.start();
        } else {
            end();
            firstTryEnded.run();
        }
    }

    /**
     * The process ends, and its session outlives it: the slot stays as it is. Until then it still answers notices, because
     * a session that has no attempt would tell others that its slot is over. If the write fails, the slot exists for as long as
     * its last write said.
     */
    private CompletionStage<Long> leave(OwnRow slot, Duration atLeast) {
        state = new SlotState.Left(slot, context().ticker().nanos() + atLeast.toNanos());
        slot.session().outlive(atLeast);
        requests.failAll();
        requests.ended();
        return partition().write(slot.leaveWrite(atLeast));
    }

    private void end() {
        state = FREE;
        requests.goOn();
        if (isFree()) {
            requests.ended();
        }
    }
}

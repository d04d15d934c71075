package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.attempt.Claim;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.attempt.TryAttempt;
import io.github.cassandralock.internal.ticket.attempt.WaitingAttempt;
import io.github.cassandralock.internal.ticket.handle.ContentionWatch;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.handle.TokenReservation;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.rows.LockFacts;
import io.github.cassandralock.internal.ticket.slot.LockAccess;
import io.github.cassandralock.internal.ticket.slot.SlotHold;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.internal.ticket.table.RowWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Carries out one decision of a slot's state: requests, notices, timers and answers. */
final class EffectRunner implements LockAccess {

    private final LocalSlot slot;
    private final LocalState lock;

    /** What the decision means for all slots of a handle; null if it concerns this slot alone. */
    private @Nullable Runnable following;

    EffectRunner(LocalSlot slot, LocalState lock) {
        this.slot = slot;
        this.lock = lock;
    }

    /** Runs the events that follow the decision. To be called when the slot has its next state. */
    void runFollowing() {
        Runnable present = following;
        if (present != null) {
            present.run();
        }
    }

    private LockPartition partition() {
        return lock.partition();
    }

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
        return lock.isRequested(mode, slot);
    }

    @Override
    public boolean isRequestedElsewhere() {
        return slot.notices().isRequestedElsewhere();
    }

    @Override
    public boolean areSharersGone(TicketRequest request) {
        return lock.areSharersGone(request);
    }

    @Override
    public Optional<TicketRequest> takeNext(LockMode mode, int permits) {
        return lock.takeNext(mode, permits, slot);
    }

    @Override
    public Optional<TicketRequest> takeHeir(TicketRequest cancelled) {
        return lock.takeHeir(cancelled, slot);
    }

    @Override
    public void requeue(List<TicketRequest> requests) {
        lock.requeue(requests);
    }

    @Override
    public SlotHold hold(Outcome.Acquired acquired) {
        return new SlotHold(new TokenReservation(partition()), acquired);
    }

    @Override
    public SlotAttempt start(TicketRequest request, Optional<OwnRow> replaced) {
        SlotAttempt attempt = attempt(request, replaced);
        attempt.start();
        return attempt;
    }

    @Override
    public SlotAttempt startAfterPause(TicketRequest request, Optional<OwnRow> replaced) {
        SlotAttempt attempt = attempt(request, replaced);
        attempt.pause(context().settings().poll().max());
        return attempt;
    }

    private SlotAttempt attempt(TicketRequest request, Optional<OwnRow> replaced) {
        Claim claim = claim(request);
        boolean sharersGone = lock.areSharersGone(request);
        return claim.waits()
                ? new WaitingAttempt(slot.notices(), claim, sharersGone, replaced, slot::reported)
                : new TryAttempt(slot.notices(), claim, sharersGone, replaced, slot::reported);
    }

    /** Returns the claim of an attempt for the request. */
    private static Claim claim(TicketRequest request) {
        return request.converted()
                .map(handle -> new Claim(
                        request.mode(), !request.tries(), handle.slots().rows(), handle.mode(), 1))
                .orElseGet(() -> Claim.of(request.mode(), request.permits(), !request.tries()));
    }

    @Override
    public SlotAttempt startWithReticket(TicketRequest request, OwnRow promised) {
        request.reportWait();
        SlotAttempt attempt = attempt(request, Optional.of(promised));
        attempt.startWithReticket(promised);
        return attempt;
    }

    @Override
    public void abandon(SlotAttempt attempt) {
        attempt.abandon();
    }

    @Override
    public void cancel(SlotAttempt attempt) {
        attempt.cancel();
    }

    @Override
    public void grant(TicketRequest request, SlotHold hold) {
        request.grant(new TicketGrant(hold.nextHandle(), lock.events()));
    }

    @Override
    public void refuse(TicketRequest request) {
        request.refuse();
    }

    @Override
    public void fail(TicketRequest request, Throwable cause) {
        request.fail(cause);
    }

    @Override
    public void failLongWaiting(Throwable cause) {
        lock.failLongWaiting(cause);
    }

    @Override
    public void sendOver(OwnRow row) {
        if (row.session().isValid()) {
            sendOver(LockFacts.attemptOver(row.slot()));
        }
    }

    private void sendOver(Fact over) {
        if (context().exchangesNotices()) {
            slot.notices().sendOver(over);
        }
        lock.attemptOver(over);
    }

    @Override
    public OwnRow promise(OwnRow over) {
        OwnRow promised = over.promised(lock.facts().nextPromisedTicket());
        lock.facts().ticketSeen(promised.slot().ticket());
        sendOver(LockFacts.of(promised.slot()));
        return promised;
    }

    /**
     * With notices, the holder that releases the slot does not wait for the write. All that wait for the slot have received a
     * notice.
     */
    @Override
    public void release(SlotState.Releasing releasing) {
        CompletableFuture<Void> tried = new CompletableFuture<>();
        new RowWriter(partition(), releasing.row(), () -> slot.state() == releasing, () -> tried.complete(null))
                .release(() -> slot.decide(SlotState::releaseEnded));
        if (!context().exchangesNotices() || lock.answers().comeAfterReleases()) {
            lock.answers().addWrite(tried);
        }
    }

    /** Without timers, which end with the application, the time is over at once. */
    @Override
    public void startTimer(Duration time, SlotState since) {
        context()
                .timers()
                .after(time)
                .whenCompleteAsync(
                        (done, noTimers) -> slot.timeUp(since), partition().mailbox());
    }

    @Override
    public void modeLowered(SlotHold hold) {
        Slot row = hold.row().slot();
        hold.contention().ifPresent(ContentionWatch::modeLowered);
        if (context().exchangesNotices()) {
            slot.notices().sendMode(row);
        }
        lock.modeLowered(row);
        lock.answers().addWrite(slot.writeIfDue(hold.row()));
    }

    @Override
    public void sharersChanged() {
        lock.sharersChanged();
    }

    @Override
    public void endContention(SlotHold hold) {
        hold.contention().ifPresent(ContentionWatch::end);
    }

    @Override
    public void leaveBehind(OwnRow row, Duration atLeast) {
        row.session().excludeOthersFor(atLeast);
        lock.failWaiting();
        lock.answers().addWrite(partition().write(row.leaveBehindWrite(atLeast)).toCompletableFuture());
    }

    @Override
    public void completeConversion(TicketRequest conversion, SlotHold hold) {
        following = () -> lock.events().conversionAcquired(conversion, slot.number(), hold);
    }

    @Override
    public void lose(List<TicketHandle> handles, LockLoss loss) {
        following = () -> lock.events().lost(handles, loss);
    }
}

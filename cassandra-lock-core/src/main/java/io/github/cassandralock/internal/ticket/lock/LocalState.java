package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
import io.github.cassandralock.internal.ticket.attempt.TurnSource;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.rows.LockFacts;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.spi.Obstacle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock in this process: the waiting requests, and the slots. Only events of the lock use it, unless a method
 * documents otherwise.
 */
final class LocalState {

    /** Stands for the waiting list in locks without a waiting request. Nothing is added to it. */
    private static final WaitingList NONE = new WaitingList();

    private final LockPartition partition;
    private final LockEvents events;

    /** The requests without a slot. */
    private WaitingList waiting = NONE;

    /** The slots in the order of their numbers. The list is replaced when a slot is added, because any thread may read it. */
    private volatile List<LocalSlot> slots = List.of();

    private long arrivals;

    /** The calls to answer at the end of the present event; null if there are none. */
    private @Nullable EventAnswers answers;

    /** Completes when no slot is left to release; null unless the process ends. */
    private @Nullable CompletableFuture<Void> closing;

    LocalState(LockPartition partition, LockEvents events) {
        this.partition = partition;
        this.events = events;
    }

    LockPartition partition() {
        return partition;
    }

    LockFacts facts() {
        return partition.facts();
    }

    LockEvents events() {
        return events;
    }

    // Requests

    /** The requests without a slot. Callers must not add to this list. */
    WaitingList waiting() {
        return waiting;
    }

    void addWaiting(TicketRequest request) {
        request.reportWait();
        waitingToChange().add(request);
    }

    private WaitingList waitingToChange() {
        if (waiting == NONE) {
            waiting = new WaitingList();
        }
        return waiting;
    }

    /** Returns the place of a request in the order of arrival. */
    long nextArrival() {
        return arrivals++;
    }

    /**
     * Takes out the next request in this mode and with these permits. Empty if a conflicting request came before it and still
     * waits.
     */
    Optional<TicketRequest> takeNext(LockMode mode, int permits, LocalSlot slot) {
        return taken(next(mode, permits, slot));
    }

    /** Takes out the next request for an attempt that waits, in place of one that was cancelled. */
    Optional<TicketRequest> takeHeir(TicketRequest cancelled, LocalSlot slot) {
        return taken(next(cancelled.mode(), cancelled.permits(), slot).filter(heir -> !heir.tries()));
    }

    private Optional<TicketRequest> next(LockMode mode, int permits, LocalSlot slot) {
        return waiting.first(mode, permits)
                .filter(request -> others(slot).noneMatch(other -> other.state().acquiresInConflict(mode)));
    }

    private Optional<TicketRequest> taken(Optional<TicketRequest> next) {
        next.ifPresent(waiting::remove);
        return next;
    }

    /**
     * Puts requests back to their places, because their attempt has come to nothing. A request that only tries for a permit is
     * refused: it would wait for those before it.
     */
    void requeue(Collection<TicketRequest> begun) {
        List<TicketRequest> back = begun.stream()
                .filter(request -> !(request.tries() && request.permits() > 1))
                .toList();
        begun.stream().filter(request -> !back.contains(request)).forEach(TicketRequest::refuse);
        if (!back.isEmpty()) {
            waitingToChange().requeue(back);
        }
    }

    /** Whether the request has no slot yet, and waits for one. */
    boolean isWaiting(TicketRequest request) {
        return waiting.stream().anyMatch(request::equals);
    }

    /** A request that only tries does not wait any longer to begin. */
    void refuseIfWaiting(TicketRequest request) {
        if (waiting.remove(request)) {
            request.refuse();
        }
    }

    /**
     * Ends the request without the lock. If other requests share the attempt, or one inherits it, the attempt continues and keeps
     * its ticket. Otherwise it is cancelled. No request inherits an attempt that only tries.
     */
    void cancel(TicketRequest request) {
        if (waiting.remove(request)) {
            request.cancel();
        } else {
            slotOf(request).ifPresent(slot -> {
                request.cancel();
                slot.decide((state, access) -> state.cancelled(request, access));
            });
        }
    }

    /** Removes the request, which has its answer, from the slot with which it waits. */
    void cancelWithSlot(TicketRequest request) {
        slotOf(request).ifPresent(slot -> slot.decide((state, access) -> state.cancelled(request, access)));
    }

    private Optional<LocalSlot> slotOf(TicketRequest request) {
        return first(state -> state.requests().contains(request));
    }

    /** Fails the requests that have waited for a lease or longer. */
    void failLongWaiting(Throwable cause) {
        TicketContext context = partition.context();
        long since =
                context.ticker().nanos() - context.sessionSettings().lease().toNanos();
        waiting.removeAll(request -> request.arrivedAt() - since <= 0).forEach(request -> request.fail(cause));
    }

    /** Fails all requests that wait, because a slot stays taken although the process ends. */
    void failWaiting() {
        waiting.removeAll(request -> true).forEach(request -> request.fail(leftTaken()));
    }

    IllegalStateException leftTaken() {
        return new IllegalStateException("Lock '" + partition.lockId()
                + "' was not granted: the application shuts down, and the lock stays taken (holdAtLeast)");
    }

    // Slots

    List<LocalSlot> slots() {
        return slots;
    }

    Stream<LocalSlot> others(LocalSlot slot) {
        return slots.stream().filter(other -> other != slot);
    }

    /** The first slot in such a state. */
    Optional<LocalSlot> first(Predicate<SlotState> kind) {
        return slots.stream().filter(slot -> kind.test(slot.state())).findFirst();
    }

    /** Whether a slot is in such a state. */
    boolean any(Predicate<SlotState> kind) {
        for (LocalSlot slot : slots) {
            if (kind.test(slot.state())) {
                return true;
            }
        }
        return false;
    }

    /** The slot with this number; empty if the process has had no such slot in this lock. */
    Optional<LocalSlot> slot(int number) {
        return number < slots.size() ? Optional.of(slots.get(number)) : Optional.empty();
    }

    /** The slot with this row. */
    LocalSlot slot(OwnRow row) {
        return slots.get(row.slot().id().number());
    }

    /** The slots by which the handle holds the lock, from the bottom up. */
    List<LocalSlot> slots(TicketHandle handle) {
        return handle.slots().rows().stream()
                .map(row -> slot(row))
                .filter(slot -> slot.state().isUsedBy(handle))
                .toList();
    }

    LocalSlot newSlot() {
        int number = slots.size();
        LocalSlot slot = new LocalSlot(new SlotNotices(partition, number), this);
        List<LocalSlot> more = new ArrayList<>(slots);
        more.add(slot);
        slots = List.copyOf(more);
        if (number > 0) {
            facts().serveSeveralSlots();
        }
        return slot;
    }

    /** Settles one vacant slot that no request has taken. Returns whether there was such a slot. */
    boolean settleOne() {
        for (LocalSlot slot : slots) {
            if (slot.decide(SlotState::settled)) {
                return true;
            }
        }
        return false;
    }

    // Questions

    /** Whether threads of this process leave nothing to a request that only tries. */
    boolean isBusy(TicketRequest request) {
        return request.permits() == 1
                ? isInUse(request.mode())
                : isFull(request) || any(state -> leavesNoRoom(state, request));
    }

    private boolean isInUse(LockMode mode) {
        return waiting.stream().anyMatch(request -> request.conflictsWith(mode))
                || any(state -> state.conflictsWith(mode));
    }

    /** Whether threads use or await all permits, or one waits that needs another number or mode. */
    private boolean isFull(TicketRequest request) {
        return waiting.stream()
                        .anyMatch(other ->
                                other.conflictsWith(request.mode()) && !other.isFor(request.mode(), request.permits()))
                || inUse(request) + waiting.stream().count() >= request.permits();
    }

    /** How many slots are used as the request would use one. */
    long inUse(TicketRequest request) {
        return slots.stream()
                .filter(slot -> slot.state().servesOneAtATime(request.mode(), request.permits()))
                .count();
    }

    /** Whether the slot is held or requested without permits, or waits for its turn. */
    private static boolean leavesNoRoom(SlotState state, TicketRequest request) {
        return state.conflictsWith(request.mode())
                && (state.usedPermits() == 1
                        || (state.acquiresInConflict(request.mode()) && !state.conflictsWithoutTicket(request.mode())));
    }

    /** Whether this process requests the lock in a conflicting mode, by a waiting request or another slot. */
    boolean isRequested(LockMode mode, LocalSlot except) {
        return isRequested(mode, others(except));
    }

    /**
     * Whether the slot is requested in a mode that conflicts with the need of the handle. Conversions of the handle do not count.
     */
    boolean isRequestedByOthers(LocalSlot slot, TicketHandle handle) {
        return isRequested(slot.held().need(handle), others(slot).filter(other -> !converts(other, handle)));
    }

    private static boolean converts(LocalSlot slot, TicketHandle handle) {
        return slot.state().requests().stream()
                .anyMatch(request -> request.converted().filter(handle::equals).isPresent());
    }

    private boolean isRequested(LockMode mode, Stream<LocalSlot> others) {
        return waiting.stream().anyMatch(request -> request.conflictsWith(mode))
                || others.anyMatch(other -> other.state().acquiresInConflict(mode));
    }

    /** Whether no thread waits, and no slot is used. */
    boolean isUnused() {
        return waiting.isEmpty() && !any(state -> !state.isFree());
    }

    /**
     * Why requests without a slot do not have the lock yet. A holder comes before the first attempt with an obstacle. May be called
     * from any thread.
     */
    Optional<Obstacle> obstacle() {
        List<SlotState> states = slots.stream().map(LocalSlot::state).toList();
        return Stream.concat(states.stream().filter(SlotState::staysTaken), states.stream())
                .flatMap(state -> state.obstacle().stream())
                .findFirst();
    }

    // Handles

    /** For a conversion, whether no sharer of the handle's slots is in its way. True for other requests. */
    boolean areSharersGone(TicketRequest request) {
        return request.converted()
                .filter(handle -> !areSharersGone(handle, request.mode()))
                .isEmpty();
    }

    /**
     * Whether no other holder of one of the handle's slots is in the way of this mode. Once true, the result stays true while the
     * conversion waits.
     */
    boolean areSharersGone(TicketHandle handle, LockMode wanted) {
        return slots(handle).stream().noneMatch(slot -> slot.held().othersConflict(wanted, handle));
    }

    // The end of an event

    /** The calls to answer at the end of the present event. */
    EventAnswers answers() {
        EventAnswers present = answers;
        if (present == null) {
            present = new EventAnswers();
            answers = present;
        }
        return present;
    }

    void giveAnswers() {
        EventAnswers present = answers;
        answers = null;
        if (present != null) {
            present.give();
        }
    }

    // The end of the process

    boolean isClosing() {
        return closing != null;
    }

    /**
     * Releases all slots that no thread uses.
     *
     * @param closed completes when this process has no slot to release any more, for each of several calls
     */
    void close(CompletableFuture<Void> closed) {
        if (closing == null) {
            closing = closed;
        } else {
            closing.thenRun(() -> closed.complete(null));
        }
        slots.forEach(slot -> slot.decide(SlotState::reservationEnded));
    }

    void completeClosing() {
        CompletableFuture<Void> closed = closing;
        if (closed != null && !any(state -> !state.mayOutlastProcess())) {
            closed.complete(null);
        }
    }

    // Changes of one slot, for the attempts of other slots. Their event comes after the slot's next state.

    /** Sends an event to the attempts under way, which may end them. */
    void notifyAttempts(Function<SlotAttempt, Optional<Outcome>> what) {
        slots.forEach(slot -> slot.decide((state, access) -> state.notified(what, access)));
    }

    /** Called when the attempt of one slot has drawn its ticket. */
    void ticketDrawn(Slot row) {
        changed(() -> notifyAttempts(
                attempt -> attempt.ticketReceived(row.id(), row.attempt(), row.ticket(), TurnSource.OWN_SLOT)));
    }

    /** Called when the attempt of one slot is over. */
    void attemptOver(Fact over) {
        if (slots.size() > 1) {
            facts().add(over);
            changed(() -> notifyAttempts(attempt -> attempt.factsReceived(TurnSource.OWN_SLOT)));
        }
    }

    /** Called when the mode of a slot has changed. */
    void modeLowered(Slot row) {
        facts().modeSeen(row.id(), row.attempt(), row.mode());
        changed(() -> notifyAttempts(
                attempt -> attempt.modeReceived(row.id(), row.attempt(), row.mode(), TurnSource.OWN_SLOT)));
    }

    /** Called when fewer threads use a slot, or need a weaker mode of it. Conversions may have waited for that. */
    void sharersChanged() {
        changed(() -> slots.forEach(slot -> slot.decide(SlotState::sharersChanged)));
    }

    private void changed(Runnable event) {
        if (slots.size() > 1) {
            partition.mailbox().execute(event);
        }
    }
}

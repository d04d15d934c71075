package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
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

    /** Stands for a list in each of many thousand locks. It stays empty. */
    private static final WaitingList NONE = new WaitingList();

    private final LockPartition partition;
    private final LockEvents events;

    /** The requests without a slot. */
    private WaitingList waiting = NONE;

    /** In the order of their numbers. Replaced when one is added, because any thread may read it. */
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

    /** The requests that have no slot yet. Nothing may be added to it. */
    WaitingList waiting() {
        return waiting;
    }

    void addWaiting(TicketRequest request) {
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

    /** Takes out the next request in this mode, if no request that conflicts came before it and still waits. */
    Optional<TicketRequest> takeNext(LockMode mode, LocalSlot slot) {
        Optional<TicketRequest> next = waiting.first(mode)
                .filter(request -> others(slot).noneMatch(other -> other.state().acquiresInConflict(mode)));
        next.ifPresent(waiting::remove);
        return next;
    }

    /** Puts requests back to their places, because their attempt has come to nothing. */
    void requeue(Collection<TicketRequest> begun) {
        if (!begun.isEmpty()) {
            waitingToChange().requeue(begun);
        }
    }

    /**
     * Ends the request without the lock. If another request may take its place, the attempt goes on for that request and keeps its
     * ticket. Otherwise the attempt is abandoned. An attempt that only tries is always abandoned.
     */
    void cancel(TicketRequest request) {
        if (waiting.remove(request)) {
            request.cancelled();
        } else {
            slotOf(request).ifPresent(slot -> {
                request.cancelled();
                slot.decide((state, by) -> state.cancelled(request, by));
            });
        }
    }

    /** The request has its answer, and does not wait with a slot any longer. */
    void cancelWithSlot(TicketRequest request) {
        slotOf(request).ifPresent(slot -> slot.decide((state, by) -> state.cancelled(request, by)));
    }

    private Optional<LocalSlot> slotOf(TicketRequest request) {
        return first(state -> state.requests().contains(request));
    }

    /** Fails the requests that have waited for a lease or longer. */
    void failLongWaiting(Throwable cause) {
        TicketContext context = partition.context();
        long since =
                context.ticker().nanos() - context.sessionSettings().lease().toNanos();
        waiting.removeAll(waiter -> waiter.arrivedAt() - since <= 0).forEach(waiter -> waiter.failed(cause));
    }

    /** Fails all requests that wait, because a slot stays taken although the process ends. */
    void failWaiting() {
        waiting.removeAll(waiter -> true).forEach(waiter -> waiter.failed(leftTaken()));
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

    /** Empty if the process has never had a slot of this number since it began to use the lock. */
    Optional<LocalSlot> slot(int number) {
        return number < slots.size() ? Optional.of(slots.get(number)) : Optional.empty();
    }

    /** The slot with this row. */
    LocalSlot slot(OwnRow row) {
        return slots.get(row.row().id().number());
    }

    /** The slots of the handle that it holds, from the bottom up. */
    List<LocalSlot> slots(TicketHandle handle) {
        return handle.slots().rows().stream()
                .map(row -> slot(row))
                .filter(slot -> slot.isUsedBy(handle))
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

    /** Settles one slot that is vacant, and that no request has taken. Returns whether there was one. */
    boolean settleOne() {
        return slots.stream().anyMatch(slot -> slot.decide(SlotState::settled));
    }

    // Questions

    /** Whether a thread of this process holds the lock, or waits for it, in a mode that conflicts. */
    boolean isBusy(LockMode mode) {
        return waiting.stream().anyMatch(waiter -> waiter.conflictsWith(mode))
                || any(state -> state.conflictsWith(mode));
    }

    /** Whether a request in a conflicting mode waits, or another slot is about to get the lock in such a mode. */
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
        return waiting.stream().anyMatch(waiter -> waiter.conflictsWith(mode))
                || others.anyMatch(other -> other.state().acquiresInConflict(mode));
    }

    /** Whether no thread waits, and no slot is used. */
    boolean isUnused() {
        return waiting.isEmpty() && !any(state -> !state.isFree());
    }

    /** Why requests without a slot do not have the lock yet. May be called from any thread. */
    Optional<Obstacle> obstacle() {
        List<SlotState> states = slots.stream().map(LocalSlot::state).toList();
        return states.stream()
                .flatMap(state -> state.held().stream())
                .<Obstacle>map(hold -> new Obstacle.Taken(Optional.of("another thread of this process"), hold.age()))
                .findFirst()
                .or(() -> states.stream()
                        .flatMap(state -> state.underWay().stream())
                        .findFirst()
                        .flatMap(SlotAttempt::obstacle));
    }

    // Handles

    /** Whether sharers of the handle's slots are not in the way of a conversion; true for other requests. */
    boolean isClear(TicketRequest request) {
        return request.converted()
                .filter(handle -> !isClear(handle, request.mode()))
                .isEmpty();
    }

    /** Whether no other holder of one of the handle's slots is in the way of this mode. It stays so while the conversion waits. */
    boolean isClear(TicketHandle handle, LockMode wanted) {
        return slots(handle).stream().noneMatch(slot -> slot.held().othersConflict(wanted, handle));
    }

    /** The handle is released or lost: its conversion ends, and it stops using its slots, from the top down. */
    void end(TicketHandle handle) {
        endConversion(handle);
        withdrawFromTop(handle, slots(handle));
    }

    /** The conversion up of the handle, if one is under way, ends without a slot. */
    void endConversion(TicketHandle handle) {
        handle.conversion().filter(TicketRequest::waitsWithSlot).ifPresent(conversion -> {
            conversion.failed(notHeld());
            cancelWithSlot(conversion);
        });
    }

    IllegalStateException notHeld() {
        return new IllegalStateException("Lock '" + partition.lockId()
                + "' is not converted: its handle was closed, or the lock was lost; take the lock again");
    }

    static void withdrawFromTop(TicketHandle handle, List<LocalSlot> slots) {
        for (int slot = slots.size() - 1; slot >= 0; slot--) {
            slots.get(slot).withdrawn(handle);
        }
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
     * Gives up all slots that no thread uses.
     *
     * @param closed completes when this process has no slot to release any more, for each of several calls
     */
    void close(CompletableFuture<Void> closed) {
        if (closing == null) {
            closing = closed;
        } else {
            closing.thenRun(() -> closed.complete(null));
        }
        slots.forEach(slot -> slot.decide(SlotState::unreserved));
    }

    void completeClosing() {
        CompletableFuture<Void> closed = closing;
        if (closed != null && !any(state -> !state.isFree() && !state.isLeftBehind())) {
            closed.complete(null);
        }
    }

    // What changes of one slot mean for the attempts of other slots. This is an event of its own, because the slot's
    // next state
    // is decided first

    /** The attempts that are under way receive something, and may end by that. */
    void notifyAttempts(Function<SlotAttempt, Optional<Outcome>> what) {
        slots.forEach(slot -> slot.notifyAttempt(what));
    }

    /** The attempt of one slot has drawn its ticket. */
    void ticketDrawn(Slot row) {
        changed(() -> notifyAttempts(attempt -> attempt.ticketReceived(row.id(), row.attempt(), row.ticket())));
    }

    /** The attempt of one slot is over. */
    void attemptOver(Fact over) {
        if (slots.size() > 1) {
            facts().add(over);
            changed(() -> notifyAttempts(attempt -> attempt.factsReceived(false)));
        }
    }

    /** A slot has become weaker. */
    void modeLowered(Slot row) {
        facts().modeSeen(row.id(), row.attempt(), row.mode());
        changed(() -> notifyAttempts(attempt -> attempt.modeReceived(row.id(), row.attempt(), row.mode())));
    }

    /** Fewer threads use a slot, or need less of it: conversions may have waited for that. */
    void sharersGone() {
        changed(() -> slots.forEach(LocalSlot::sharersGone));
    }

    private void changed(Runnable event) {
        if (slots.size() > 1) {
            partition.mailbox().execute(event);
        }
    }
}

package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which requests of this process may begin, and with which slots (lock modes, section 2). Without state of its own. */
record Placement(LocalState lock) {

    private static final Logger log = LoggerFactory.getLogger(Placement.class);

    /** Begins the request that has arrived, or adds it to the waiting list. */
    void place(TicketRequest request) {
        if (lock.waiting().isEmpty() && mayBegin(request)) {
            begin(request);
        } else {
            lock.addWaiting(request);
        }
    }

    /**
     * Waiting requests get the slots that were just released. The other requests begin with a slot in the order of their arrival.
     */
    void assignWaiting() {
        if (!lock.waiting().isEmpty()) {
            lock.slots().forEach(slot -> slot.decide(SlotState::handedOver));
            lock.waiting().begin(this::mayBegin, this::begin);
        }
    }

    /**
     * Whether the request may begin. Then no request that conflicts has an attempt without a ticket, and a permit and a slot are
     * left.
     */
    private boolean mayBegin(TicketRequest request) {
        return !lock.any(state -> state.conflictsWithoutTicket(request.mode()))
                && lock.inUse(request) < request.permits()
                && hasSlotLeft();
    }

    /** Whether a slot may be added or used again. */
    boolean hasSlotLeft() {
        return lock.slots().size() <= SlotId.HIGHEST || spare().isPresent();
    }

    /** A slot whose release W1 replaces, or else a free slot. */
    Optional<LocalSlot> spare() {
        return lock.first(SlotState::isReplaceable).or(() -> lock.first(SlotState::isFree));
    }

    private void begin(TicketRequest request) {
        Optional<LocalSlot> shared = shared(request);
        if (shared.isPresent()) {
            log.debug(
                    "Lock '{}': shared with other threads of this process, without a request",
                    lock.partition().lockId());
            join(shared.get(), request);
        } else {
            LocalSlot slot = slotFor(request);
            lock.others(slot).forEach(other -> other.endReservationFor(request));
            slot.decide((state, access) -> state.taken(request, access));
        }
    }

    /** The slot may be waiting already. */
    private static void join(LocalSlot shared, TicketRequest request) {
        shared.decide((state, access) -> state.joined(request, access));
        shared.reportWaits();
    }

    /**
     * A held slot, unless a holder or a request with a slot in this process conflicts. Otherwise a slot whose requests the new one
     * may join.
     */
    private Optional<LocalSlot> shared(TicketRequest request) {
        return lock.first(state -> state.mayShare(request))
                .filter(shared -> !lock.any(state -> state.conflictsWith(request.mode())))
                .or(() -> joinable(request));
    }

    /**
     * A slot that waits for requests that came after all that conflict in this process. Empty if sessions strictly come first in the
     * order of their arrival.
     */
    private Optional<LocalSlot> joinable(TicketRequest request) {
        return lock.partition().context().settings().maxDuration().isZero()
                ? Optional.empty()
                : lock.first(state -> state.mayJoin(request) && isBehindConflicting(state, request));
    }

    private boolean isBehindConflicting(SlotState state, TicketRequest request) {
        return lock.slots().stream()
                .map(LocalSlot::state)
                .filter(other -> other.acquiresInConflict(request.mode()))
                .allMatch(other -> other.requests().get(0).number()
                        < state.requests().get(0).number());
    }

    /**
     * In this order: a slot kept or promised for such a request; a slot whose release W1 replaces; a slot kept or promised in a
     * conflicting mode; a free slot; a new slot.
     */
    private LocalSlot slotFor(TicketRequest request) {
        return lock.first(state -> state.isKeptFor(request))
                .or(() -> lock.first(state -> state.isReservedFor(request)))
                .or(() -> lock.first(SlotState::isReplaceable))
                .or(() -> lock.first(state -> state.isReservedInConflict(request.mode())))
                .or(() -> lock.first(SlotState::isFree))
                .orElseGet(lock::newSlot);
    }
}

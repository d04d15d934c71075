package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which requests of this process may begin, and with which slots (lock modes, section 2). Without state of its own. */
record Placement(LocalState lock) {

    private static final Logger log = LoggerFactory.getLogger(Placement.class);

    /** A request that arrives waits, unless it may begin at once. */
    void place(TicketRequest request) {
        if (lock.waiting().isEmpty() && mayBegin(request.mode())) {
            begin(request);
        } else {
            lock.addWaiting(request);
        }
    }

    /**
     * Requests that wait get the slots that others have just released. The rest begin with a slot in the order of their arrival.
     */
    void assignWaiting() {
        if (!lock.waiting().isEmpty()) {
            lock.slots().forEach(slot -> slot.decide(SlotState::handedOver));
            lock.waiting().begin(request -> mayBegin(request.mode()), this::begin);
        }
    }

    /** Whether no earlier thread that conflicts has yet to find its place in the queue of all processes. */
    private boolean mayBegin(LockMode mode) {
        return !lock.any(state -> state.conflictsWithoutTicket(mode) || state.servesOneAtATime(mode));
    }

    private void begin(TicketRequest request) {
        Optional<LocalSlot> shared = shared(request);
        if (shared.isPresent()) {
            log.debug(
                    "Lock '{}': shared with other threads of this process, without a request",
                    lock.partition().lockId());
            shared.get().decide((state, by) -> state.joined(request, by));
        } else {
            LocalSlot slot = slotFor(request.mode());
            lock.others(slot).forEach(other -> other.unreservedFor(request.mode()));
            slot.decide((state, by) -> state.taken(request, by));
        }
    }

    /**
     * A held slot, unless the handle of one of its users is in a mode that conflicts with this thread. Otherwise a slot that
     * waits. None while a slot waits that conflicts with this thread.
     */
    private Optional<LocalSlot> shared(TicketRequest request) {
        if (lock.any(state -> state.acquiresInConflict(request.mode()))) {
            return Optional.empty();
        }
        return lock.first(state -> state.mayShare(request))
                .filter(shared -> !lock.any(state -> state.conflictsWith(request.mode())))
                .or(() -> joinable(request));
    }

    private Optional<LocalSlot> joinable(TicketRequest request) {
        Duration maxDuration = lock.partition().context().settings().maxDuration();
        return lock.first(state -> state.mayJoin(request, maxDuration));
    }

    /** A slot that is kept or promised in this mode. Otherwise a slot whose release W1 replaces, or else a free slot. */
    private LocalSlot slotFor(LockMode mode) {
        return lock.first(state -> state.isReservedIn(mode))
                .or(() -> lock.first(SlotState::isReplaceable))
                .or(() -> lock.first(state -> state.isReservedInConflict(mode)))
                .or(() -> lock.first(SlotState::isFree))
                .orElseGet(lock::newSlot);
    }
}

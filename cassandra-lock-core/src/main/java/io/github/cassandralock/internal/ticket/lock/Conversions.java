package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.ticket.handle.HandleValue;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.handle.TokenReservation;
import io.github.cassandralock.internal.ticket.rows.HandleRows;
import io.github.cassandralock.internal.ticket.slot.SlotHold;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import io.github.cassandralock.spi.Obstacle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Conversions of one handle, up and down, which concern all its slots (lock modes, section 4). Without state of its own. Used in
 * the lock's mailbox alone, unless a method documents otherwise.
 */
record Conversions(LocalState lock) {

    /** The name of the owner that each converted handle without an owner gets. */
    private static final String NOBODY = "a caller that named no owner";

    /** Gives a converted handle without an owner a new owner, so that the search for deadlocks finds it. */
    static void requireOwner(TicketHandle handle, Deadlocks deadlocks, String lockId) {
        if (handle.owned().isEmpty()) {
            handle.setOwner(deadlocks.owned(), LockOwner.named(NOBODY), lockId);
        }
    }

    /** @param closeValueThen closes the handle's value, and then runs the action */
    void begin(TicketRequest conversion, TicketHandle handle, Consumer<Runnable> closeValueThen) {
        LockMode held = handle.mode();
        if (conversion.hasGivenUp()) {
            conversion.cancel();
        } else if (!handle.isValid()) {
            conversion.fail(notHeld());
        } else if (handle.row().slot().permits() > 1) {
            conversion.fail(hasPermits(conversion));
        } else if (handle.isConverting()) {
            conversion.fail(new IllegalStateException(
                    "Lock '" + lock.partition().lockId() + "' is not converted to " + conversion.target()
                            + ": another conversion of the same handle is under way; wait for its end"));
        } else if (held.covers(conversion.target())) {
            closeValueAndConvertDown(conversion, handle, closeValueThen);
        } else {
            endGivenUp(handle);
            convertUp(conversion, handle, held.leastCovering(conversion.target()));
        }
    }

    private IllegalStateException hasPermits(TicketRequest conversion) {
        return new IllegalStateException(
                "Lock '" + lock.partition().lockId() + "' is not converted to " + conversion.target()
                        + ": its handle has one of several permits; release it, and request the other mode");
    }

    /** Ends a former conversion that its caller gave up. The task that would end it has not run yet. */
    private void endGivenUp(TicketHandle handle) {
        handle.conversion().ifPresent(former -> {
            former.cancel();
            if (former.hasMode()) {
                lock.cancelWithSlot(former);
            }
        });
    }

    /** Stores the changed value first, because the weaker mode may be compatible with other holders. */
    private void closeValueAndConvertDown(
            TicketRequest conversion, TicketHandle handle, Consumer<Runnable> closeValueThen) {
        endGivenUp(handle);
        if (HandleValue.isWritableIn(conversion.target())) {
            convertDown(conversion, handle);
        } else {
            handle.setConverting(conversion);
            closeValueThen.accept(() -> {
                handle.endConverting(conversion);
                if (handle.isValid()) {
                    convertDown(conversion, handle);
                } else {
                    conversion.fail(notHeld());
                }
            });
        }
    }

    private void convertDown(TicketRequest conversion, TicketHandle handle) {
        List<LocalSlot> before = lock.slots(handle);
        List<LocalSlot> needed = needed(before, conversion.target());
        if (conversion.takeEffect(weaker(handle.slots(), needed, conversion.target()))) {
            lowerNeeds(handle, before, needed);
            releaseAndLower(handle, before, needed);
            lock.answers().addAnswer(conversion::grant);
        }
    }

    /**
     * The slots that a handle needs for a weaker mode (rule 7). They end with the lowest slot that has always excluded all that
     * the mode excludes. A slot that conflicts with the mode waits behind one of them.
     */
    private static List<LocalSlot> needed(List<LocalSlot> slots, LockMode mode) {
        return slots.subList(
                0,
                1
                        + IntStream.range(0, slots.size())
                                .filter(slot -> slots.get(slot).held().hasAlwaysExcluded(mode))
                                .findFirst()
                                .orElse(slots.size() - 1));
    }

    /**
     * The handle's slots after a conversion down. If the top slot was released, the next token comes from a new reservation (rule
     * 3).
     */
    private TicketHandle.Slots weaker(TicketHandle.Slots before, List<LocalSlot> needed, LockMode mode) {
        return needed.size() == before.rows().size()
                ? new TicketHandle.Slots(mode, before.rows(), before.tokens(), before.number())
                : new TicketHandle.Slots(
                        mode,
                        needed.stream().map(slot -> slot.held().row()).toList(),
                        new TokenReservation(lock.partition()),
                        1);
    }

    /** Lowers what the handle needs: its own mode of the top slot, and of each slot no more than before. */
    private static void lowerNeeds(TicketHandle handle, List<LocalSlot> before, List<LocalSlot> needed) {
        LocalSlot top = needed.get(needed.size() - 1);
        for (LocalSlot slot : before) {
            SlotHold hold = slot.held();
            if (!needed.contains(slot)) {
                hold.setNeed(handle, LockMode.NULL);
            } else if (slot == top || !handle.mode().covers(hold.need(handle))) {
                hold.setNeed(handle, handle.mode());
            }
        }
    }

    /**
     * The new slot has the least mode that covers the held mode and the target. If that mode is not the target, a conversion down
     * follows.
     */
    private void convertUp(TicketRequest conversion, TicketHandle handle, LockMode wanted) {
        if (handle.slots().rows().size() == HandleRows.MOST) {
            conversion.fail(
                    new IllegalStateException("Lock '" + lock.partition().lockId() + "' is not converted to "
                            + conversion.target() + ": its handle has " + HandleRows.MOST
                            + " slots. It was converted again and again between modes that do not cover each other. It stays"
                            + " held in mode " + handle.mode() + "; to go on, release the lock and take it again"));
        } else if (!new Placement(lock).hasSlotLeft()) {
            conversion.fail(new IllegalStateException("Lock '"
                    + lock.partition().lockId() + "' is not converted to " + conversion.target()
                    + ": this process uses all of its " + lock.slots().size()
                    + " slots in the lock. It stays held in mode " + handle.mode()
                    + "; convert it again when other calls for the lock have ended"));
        } else if (conversion.tries() && !lock.areSharersGone(handle, wanted)) {
            conversion.refuse();
        } else {
            conversion.setMode(wanted);
            handle.setConverting(conversion);
            beginWithSlot(conversion, handle);
            if (conversion.hasGivenUp()) {
                lock.events().cancelled(conversion);
            }
        }
    }

    /**
     * Begins without regard to waiting requests of the process. The handle holds a part of the new mode already, and these
     * requests may wait for that part.
     */
    private void beginWithSlot(TicketRequest conversion, TicketHandle handle) {
        if (!conversion.tries()) {
            lock.slots().stream()
                    .filter(slot -> slot.state().conflictsWith(conversion.mode()))
                    .forEach(slot -> slot.contendedBy(handle));
        }
        LocalSlot slot = new Placement(lock).spare().orElseGet(lock::newSlot);
        conversion.queuedAs(lock.nextArrival(), () -> obstacle(conversion, slot));
        slot.decide((state, access) -> state.taken(conversion, access));
        lock.others(slot).forEach(other -> other.endReservationFor(conversion));
    }

    /** The hold that a conversion acquires is no obstacle of it. May be called from any thread. */
    private static Optional<Obstacle> obstacle(TicketRequest conversion, LocalSlot slot) {
        SlotState state = slot.state();
        return state.requests().contains(conversion) ? state.obstacle() : Optional.empty();
    }

    /** Adds the slot that a conversion up acquired. If its mode is not the target, the conversion down is part of this step. */
    void acquired(TicketRequest conversion, LocalSlot slot, SlotHold hold) {
        TicketHandle handle = conversion.converted().orElseThrow();
        LockMode target = conversion.target();
        List<LocalSlot> below = lock.slots(handle);
        List<LocalSlot> all = new ArrayList<>(below);
        all.add(slot);
        List<LocalSlot> needed = hold.mode() == target ? all : needed(all, target);
        TicketHandle.Slots withNewSlot = hold.slotsAbove(handle.slots());
        if (!handle.isValid()) {
            conversion.fail(notHeld());
            slot.decide((state, access) -> state.vacated(hold, access));
        } else if (conversion.takeEffect(hold.mode() == target ? withNewSlot : weaker(withNewSlot, needed, target))) {
            below.forEach(base -> base.held().setBase());
            hold.addConverted(handle);
            if (hold.mode() != target) {
                lowerNeeds(handle, all, needed);
            }
            handle.contentionListeners().forEach(contended -> slot.watch(handle, contended));
            if (hold.mode() != target) {
                releaseAndLower(handle, all, needed);
            }
            lock.answers().addAnswer(conversion::grant);
        } else {
            conversion.cancel();
            slot.decide((state, access) -> state.vacated(hold, access));
        }
    }

    /** Rule 6: first releases the slots that the new mode does not need, then lowers the needed slots. */
    private static void releaseAndLower(TicketHandle handle, List<LocalSlot> before, List<LocalSlot> needed) {
        HandleEnds.withdrawFromTop(
                handle, before.stream().filter(slot -> !needed.contains(slot)).toList());
        needed.forEach(slot -> slot.decide(SlotState::lowered));
    }

    private IllegalStateException notHeld() {
        return notHeld(lock.partition().lockId());
    }

    static IllegalStateException notHeld(String lockId) {
        return new IllegalStateException("Lock '" + lockId
                + "' is not converted: its handle was closed, or the lock was lost; take the lock again");
    }
}

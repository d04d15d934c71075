package io.github.cassandralock.internal.ticket.rows;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Finds cycles of waiting conversions, handles and requests in one read (lock modes, section 4, rule 8). Of each cycle, the last
 * request that holds nothing draws a new ticket. After an outdated read, a request may draw a new ticket without need, which only
 * costs its place.
 */
public final class ConversionCycles {

    private final List<Slot> slots;
    private final HandleRows chains;

    private ConversionCycles(LockSlots read) {
        slots = read.slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .toList();
        chains = new HandleRows(slots);
    }

    /** Whether this slot, which has a ticket and waits, has to draw a new ticket. */
    public static boolean hasToGiveWay(LockSlots read, Slot own) {
        return !own.isConversion()
                && read.slots().stream().anyMatch(ConversionCycles::isWaitingConversion)
                && new ConversionCycles(read).isLastOnACycle(own);
    }

    private static boolean isWaitingConversion(Slot slot) {
        return slot.isConversion() && slot.phase() == SlotPhase.TICKETED;
    }

    private boolean isLastOnACycle(Slot own) {
        Set<Slot> cycle = reached(own, this::waitsFor);
        cycle.retainAll(reached(own, (one, other) -> waitsFor(other, one)));
        return cycle.contains(own)
                && cycle.stream()
                        .filter(this::holdsNothing)
                        .noneMatch(slot -> Bakery.TICKET_ORDER.compare(slot, own) > 0);
    }

    /** The slots that can be reached by these steps. They include the start only if it is on a cycle. */
    private Set<Slot> reached(Slot from, BiPredicate<Slot, Slot> step) {
        Set<Slot> reached = new HashSet<>();
        Deque<Slot> next = new ArrayDeque<>(List.of(from));
        while (!next.isEmpty()) {
            Slot slot = next.remove();
            slots.stream()
                    .filter(other -> step.test(slot, other))
                    .filter(reached::add)
                    .forEach(next::add);
        }
        return reached;
    }

    /** A waiting slot waits for the slots ahead of it. A slot of a handle waits for the conversion of the handle. */
    private boolean waitsFor(Slot slot, Slot other) {
        return chains.isBelow(slot, other)
                ? isWaitingConversion(other)
                : isBehind(slot, other) || waitsForHandleOf(slot, other);
    }

    /**
     * A conversion may also wait for another conversion of its process, if both handles share a slot below. The rows do not show
     * such a wait, so it is assumed.
     */
    private boolean waitsForHandleOf(Slot slot, Slot other) {
        return isWaitingConversion(slot)
                && isWaitingConversion(other)
                && !slot.id().equals(other.id())
                && slots.stream().anyMatch(below -> chains.isBelow(below, slot) && chains.isBelow(below, other));
    }

    private boolean isBehind(Slot slot, Slot other) {
        return slot.phase() != SlotPhase.CHOOSING
                && !slot.id().equals(other.id())
                && !slot.mode().isCompatibleWith(other.mode())
                && Bakery.isAhead(other, slot)
                && !ignores(slot, other);
    }

    /** If several handles convert a slot that they share, its mode does not show what each handle ignores. */
    private boolean ignores(Slot slot, Slot other) {
        return chains.isBelow(other, slot) || (chains.ignores(slot, other) && isOnlyOneOnItsBase(slot));
    }

    private boolean isOnlyOneOnItsBase(Slot slot) {
        return slots.stream()
                        .filter(other -> other.session().equals(slot.session()) && other.base() == slot.base())
                        .count()
                == 1;
    }

    private boolean holdsNothing(Slot slot) {
        return !slot.isConversion() && slots.stream().noneMatch(other -> chains.isBelow(slot, other));
    }
}

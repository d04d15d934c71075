package io.github.cassandralock.internal.ticket.operator;

import io.github.cassandralock.inspect.QueueEntry.Place;
import io.github.cassandralock.internal.inspect.InspectedSlot;
import io.github.cassandralock.internal.inspect.InspectedSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.rows.HandleRows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The queue of a lock for operators, from two reads of its slots, one shortly after the other. A slot counts as a holder if fewer
 * slots before it conflict than it has permits. Slots of one handle do not conflict with each other.
 */
public final class QueueView {

    /*
     * A row is CHOOSING if its session has just announced the attempt, or has acquired the lock by R1. A session that has just
     * announced its attempt draws a ticket within milliseconds if another slot conflicts. Therefore two reads that show the same
     * attempt CHOOSING leave two cases. The row has the lock, or its session has stopped and blocks others. The view does not
     * distinguish these cases. A CHOOSING row without a conflict has the lock, or has it as soon as its session has read.
     */

    /** A row, and the place of its session in the queue. */
    record Standing(Place place, InspectedSlot row) {}

    private static final Comparator<InspectedSlot> BY_TICKET =
            Comparator.comparing(InspectedSlot::slot, Bakery.TICKET_ORDER);

    private QueueView() {}

    /** Whether one read does not decide the order: a CHOOSING row conflicts with another row. */
    static boolean needsSecondRead(InspectedSlots read) {
        List<InspectedSlot> wanting = wanting(read);
        HandleRows handleRows = handleRows(wanting);
        return wanting.stream().anyMatch(row -> isUndecided(row, wanting, handleRows));
    }

    /**
     * The holders and the waiting slots, in the order in which they get the lock. Slots whose place is undecided come last. Both
     * arguments may be the same read.
     */
    static List<Standing> of(InspectedSlots earlier, InspectedSlots now) {
        List<InspectedSlot> wanting = wanting(now);
        HandleRows handleRows = handleRows(wanting);
        List<Slot> before = new ArrayList<>();
        List<Standing> settled = new ArrayList<>();
        List<Standing> arriving = new ArrayList<>();
        for (InspectedSlot row : wanting) {
            if (isUndecided(row, wanting, handleRows) && !isShown(earlier, row.slot())) {
                arriving.add(new Standing(Place.ARRIVING, row));
            } else {
                boolean holds = leaveRoom(before.stream(), row.slot(), handleRows);
                settled.add(new Standing(holds ? Place.HOLDER : Place.WAITING, row));
                before.add(row.slot());
            }
        }
        settled.addAll(arriving);
        return settled;
    }

    private static List<InspectedSlot> wanting(InspectedSlots read) {
        return read.slots().stream()
                .filter(row -> row.slot().phase() != SlotPhase.IDLE)
                .sorted(BY_TICKET)
                .toList();
    }

    private static boolean isUndecided(InspectedSlot row, List<InspectedSlot> wanting, HandleRows handleRows) {
        return row.slot().phase() == SlotPhase.CHOOSING
                && !leaveRoom(wanting.stream().map(InspectedSlot::slot), row.slot(), handleRows);
    }

    /** As many as the slot has permits leave no room in any case, so no more are compared. */
    private static boolean leaveRoom(Stream<Slot> others, Slot slot, HandleRows handleRows) {
        return Bakery.hasRoomBeside(
                others.filter(other -> handleRows.conflict(slot, other))
                        .limit(slot.permits())
                        .toList(),
                slot.permits());
    }

    private static HandleRows handleRows(List<InspectedSlot> wanting) {
        return new HandleRows(wanting.stream().map(InspectedSlot::slot).toList());
    }

    private static boolean isShown(InspectedSlots read, Slot slot) {
        return read.slots().stream().anyMatch(row -> Bakery.isSameAttempt(row.slot(), slot));
    }
}

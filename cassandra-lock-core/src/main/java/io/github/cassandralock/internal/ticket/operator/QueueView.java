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

/**
 * What two reads of a lock's slots, one shortly after the other, say about its queue, for people. As far as rows can tell, a slot
 * holds the lock if it conflicts with no slot before it; slots of one handle do not conflict with each other.
 */
public final class QueueView {

    /*
     * A session that acquired the lock by R1 stays CHOOSING, and one that has just announced its attempt is CHOOSING, too. The
     * latter draws its ticket within milliseconds if it conflicts with another slot, so a row that two reads show CHOOSING in the
     * same attempt has the lock, or has stopped and is in the way of others. It is not told how it comes that it is first. A
     * CHOOSING row that conflicts with no other one has the lock, or will have it as soon as its session has read.
     */

    /** A row and what its session does with it. */
    record Standing(Place place, InspectedSlot row) {}

    private static final Comparator<InspectedSlot> BY_TICKET =
            Comparator.comparing(InspectedSlot::slot, Bakery.TICKET_ORDER);

    private QueueView() {}

    /** Whether one read does not tell: a row has yet to choose, and conflicts with another one. */
    static boolean needsSecondRead(InspectedSlots read) {
        List<InspectedSlot> wanting = wanting(read);
        HandleRows chains = chains(wanting);
        return wanting.stream().anyMatch(row -> isUndecided(row, wanting, chains));
    }

    /**
     * Those who have the lock or want it, in the order in which they get it; those whose place is not decided yet come last. The
     * two reads may be the same one.
     */
    static List<Standing> of(InspectedSlots earlier, InspectedSlots now) {
        List<InspectedSlot> wanting = wanting(now);
        HandleRows chains = chains(wanting);
        List<Slot> before = new ArrayList<>();
        List<Standing> settled = new ArrayList<>();
        List<Standing> arriving = new ArrayList<>();
        for (InspectedSlot row : wanting) {
            if (isUndecided(row, wanting, chains) && !isShown(earlier, row.slot())) {
                arriving.add(new Standing(Place.ARRIVING, row));
            } else {
                boolean holds = before.stream().noneMatch(other -> chains.conflict(row.slot(), other));
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

    private static boolean isUndecided(InspectedSlot row, List<InspectedSlot> wanting, HandleRows chains) {
        return row.slot().phase() == SlotPhase.CHOOSING
                && wanting.stream().anyMatch(other -> chains.conflict(row.slot(), other.slot()));
    }

    private static HandleRows chains(List<InspectedSlot> wanting) {
        return new HandleRows(wanting.stream().map(InspectedSlot::slot).toList());
    }

    private static boolean isShown(InspectedSlots read, Slot slot) {
        return read.slots().stream().anyMatch(row -> Bakery.isSameAttempt(row.slot(), slot));
    }
}

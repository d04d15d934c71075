package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.inspect.InspectedSlot;
import io.github.cassandralock.internal.inspect.InspectedSlots;
import io.github.cassandralock.internal.inspect.QueueEntry.Place;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What two reads of a lock's slots, one shortly after the other, say about its queue, for people. The first of the rows is the
 * holder, as far as rows can tell.
 */
final class QueueView {

    /*
     * A session that acquired the lock by R1 stays CHOOSING, and one that has just announced its attempt is CHOOSING, too. The
     * latter draws its ticket within milliseconds, so a row that two reads show CHOOSING in the same attempt has the lock, or
     * has stopped and is in the way of all others. It is not told how it comes that it is first.
     */

    /** A row and what its session does. */
    record Standing(Place place, InspectedSlot row) {}

    private static final Comparator<InspectedSlot> BY_TICKET =
            Comparator.comparing(InspectedSlot::slot, Bakery.TICKET_ORDER);

    private QueueView() {}

    /** Whether one read does not tell: a row has yet to choose, and there are others. */
    static boolean needsSecondRead(InspectedSlots read) {
        List<InspectedSlot> wanting = wanting(read);
        return wanting.size() > 1 && wanting.stream().anyMatch(QueueView::isChoosing);
    }

    /** Those who want the lock, in the order in which they get it. The two reads may be the same one. */
    static List<Standing> of(InspectedSlots earlier, InspectedSlots now) {
        List<InspectedSlot> settled = new ArrayList<>();
        List<InspectedSlot> arriving = new ArrayList<>();
        wanting(now).stream()
                .sorted(BY_TICKET)
                .forEach(row -> (isChoosing(row) && !isShown(earlier, row.slot()) ? arriving : settled).add(row));
        List<Standing> standings = new ArrayList<>();
        settled.forEach(row -> standings.add(new Standing(standings.isEmpty() ? Place.HOLDER : Place.WAITING, row)));
        arriving.forEach(row -> standings.add(new Standing(Place.ARRIVING, row)));
        return standings;
    }

    private static List<InspectedSlot> wanting(InspectedSlots read) {
        return read.slots().stream()
                .filter(row -> row.slot().phase() != SlotPhase.IDLE)
                .toList();
    }

    private static boolean isChoosing(InspectedSlot row) {
        return row.slot().phase() == SlotPhase.CHOOSING;
    }

    private static boolean isShown(InspectedSlots read, Slot slot) {
        return read.slots().stream().anyMatch(row -> Bakery.isSameAttempt(row.slot(), slot));
    }
}

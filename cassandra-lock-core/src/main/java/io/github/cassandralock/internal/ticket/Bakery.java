package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** What a read of a lock's partition means for one slot: the decisions of the protocol's section 2, without any I/O. */
final class Bakery {

    /** The order of tickets; rows without one come first. */
    static final Comparator<Slot> TICKET_ORDER =
            Comparator.comparingLong(Slot::ticket).thenComparing(Slot::session);

    /**
     * How many of the slots ahead are watched: the first ones, because all others wait for them. If each waiter watched all
     * slots ahead, the cost would grow with the square of the number of waiters.
     */
    private static final int WATCHED = 8;

    private Bakery() {}

    /** Whether the read shows this slot in this attempt. If not, the slot was evicted or has expired. */
    static boolean shows(LockSlots read, Slot own) {
        return isAmong(read.slots(), own);
    }

    /** The slots of other sessions that want or hold the lock. */
    static List<Slot> conflicting(LockSlots read, UUID own) {
        return read.slots().stream()
                .filter(slot -> !slot.session().equals(own))
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .toList();
    }

    /** One more than the highest ticket that is in use. */
    static long nextTicket(LockSlots read) {
        return 1
                + read.slots().stream()
                        .filter(slot -> slot.phase() != SlotPhase.IDLE)
                        .mapToLong(Slot::ticket)
                        .max()
                        .orElse(0);
    }

    /** Whether a conflicting row goes first: it has yet to choose, or has a lower ticket. */
    static boolean isAhead(Slot other, Slot own) {
        return other.phase() == SlotPhase.CHOOSING || TICKET_ORDER.compare(other, own) < 0;
    }

    /** Whether a row with a ticket goes after another session's. */
    static boolean isBehind(Slot own, UUID other, long ticket) {
        return own.ticket() > ticket || (own.ticket() == ticket && own.session().compareTo(other) > 0);
    }

    /** Those of these rows that an earlier read showed already, in the same attempt. */
    static List<Slot> known(List<Slot> before, List<Slot> now) {
        return now.stream().filter(slot -> isAmong(before, slot)).toList();
    }

    private static boolean isAmong(List<Slot> slots, Slot sought) {
        return slots.stream().anyMatch(slot -> isSameAttempt(slot, sought));
    }

    static boolean isSameAttempt(Slot one, Slot other) {
        return one.session().equals(other.session()) && one.attempt() == other.attempt();
    }

    /** The slots whose sessions have to be watched: the first of the blockers, because all others wait for these. */
    static List<Slot> toWatch(List<Slot> blockers) {
        return blockers.stream().sorted(TICKET_ORDER).limit(WATCHED).toList();
    }

    /** Whether a blocker is CHOOSING: then the order of the tickets is not known yet. */
    static boolean isUndecided(List<Slot> blockers) {
        return blockers.stream().anyMatch(slot -> slot.phase() == SlotPhase.CHOOSING);
    }
}

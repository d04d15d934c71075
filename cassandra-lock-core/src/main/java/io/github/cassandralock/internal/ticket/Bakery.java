package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** What a read of a lock's partition means to one slot: the decisions of the protocol's section 2, without any doing. */
final class Bakery {

    private static final Comparator<Slot> TICKET_ORDER =
            Comparator.comparingLong(Slot::ticket).thenComparing(Slot::session);

    /**
     * How many of those ahead are watched: the first ones, on whom all others wait. All would cost the square of the number
     * of waiters.
     */
    private static final int WATCHED = 8;

    private Bakery() {}

    /** Whether the read shows the slot's own attempt. It does unless the slot was evicted, or has expired. */
    static boolean shows(LockSlots read, Slot own) {
        return isAmong(read.slots(), own);
    }

    /** The rows of other sessions that want or have the lock in a way that excludes this one. */
    static List<Slot> conflicting(LockSlots read, UUID own) {
        return read.slots().stream()
                .filter(slot -> !slot.session().equals(own))
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .toList();
    }

    /** Above every ticket that is still in use. */
    static long nextTicket(LockSlots read) {
        return 1
                + read.slots().stream()
                        .filter(slot -> slot.phase() != SlotPhase.IDLE)
                        .mapToLong(Slot::ticket)
                        .max()
                        .orElse(0);
    }

    /** The conflicting rows that go first: those that have yet to choose, then those with a lower ticket, in order. */
    static List<Slot> blockers(LockSlots read, Slot own) {
        return conflicting(read, own.session()).stream()
                .filter(slot -> slot.phase() == SlotPhase.CHOOSING || TICKET_ORDER.compare(slot, own) < 0)
                .sorted(TICKET_ORDER)
                .toList();
    }

    /**
     * The blockers of this read that were blockers in the one before, in the same attempt. A session that was seen not
     * blocking, or in another attempt, draws its next ticket after this slot's, and sees it.
     */
    static List<Slot> stillBlocking(List<Slot> before, LockSlots read, Slot own) {
        return known(before, blockers(read, own));
    }

    /** Those that an earlier read showed already, in the same attempt. */
    static List<Slot> known(List<Slot> before, List<Slot> now) {
        return now.stream().filter(slot -> isAmong(before, slot)).toList();
    }

    private static boolean isAmong(List<Slot> slots, Slot sought) {
        return slots.stream().anyMatch(slot -> isSameAttempt(slot, sought));
    }

    static boolean isSameAttempt(Slot one, Slot other) {
        return one.session().equals(other.session()) && one.attempt() == other.attempt();
    }

    /** Of those that go first, or are in the way, the ones whose death has to be noticed: it frees the way for the others. */
    static List<Slot> toWatch(List<Slot> blockers) {
        return blockers.stream().sorted(TICKET_ORDER).limit(WATCHED).toList();
    }

    /** Whether a blocker is still CHOOSING, so that the order is not known yet. */
    static boolean isUndecided(List<Slot> blockers) {
        return blockers.stream().anyMatch(slot -> slot.phase() == SlotPhase.CHOOSING);
    }
}

package io.github.cassandralock.internal.ticket.rows;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a read of a lock's partition means for one slot: the decisions of the protocol's section 2, without any I/O. */
public final class Bakery {

    /** The order of tickets; rows without one come first. */
    public static final Comparator<Slot> TICKET_ORDER =
            Comparator.comparingLong(Slot::ticket).thenComparing(Slot::id);

    /**
     * How many of the sessions ahead are watched: the first ones. If each waiter watched all that are ahead, the cost would grow
     * with the square of the number of waiters.
     */
    private static final int WATCHED = 8;

    private Bakery() {}

    /** Whether the read shows this slot in this attempt. If not, the slot was evicted or has expired. */
    public static boolean shows(LockSlots read, Slot own) {
        return isAmong(read.slots(), own);
    }

    /** The other slots that want or hold the lock in a mode that is not compatible with that of this row. */
    public static List<Slot> conflicting(LockSlots read, Slot own) {
        return conflicting(read, own.id(), own.mode());
    }

    /** The slots but this one that want or hold the lock in a mode that is not compatible with this one. */
    public static List<Slot> conflicting(LockSlots read, SlotId own, LockMode mode) {
        return read.slots().stream()
                .filter(slot -> !slot.id().equals(own))
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .filter(slot -> !slot.mode().isCompatibleWith(mode))
                .toList();
    }

    /** One more than the highest ticket that is in use. */
    public static long nextTicket(LockSlots read) {
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

    /** Whether a row with a ticket goes after another slot's. */
    public static boolean isBehind(Slot own, SlotId other, long ticket) {
        return own.ticket() > ticket || (own.ticket() == ticket && own.id().compareTo(other) > 0);
    }

    /** Those of these rows that an earlier read showed already, in the same attempt. */
    public static List<Slot> known(List<Slot> before, List<Slot> now) {
        return now.stream().filter(slot -> isAmong(before, slot)).toList();
    }

    /** In how many turns these slots hold the lock, one turn after the other: neighbours that do not conflict share one. */
    public static int turns(List<Slot> slots) {
        int turns = 0;
        Set<LockMode> together = EnumSet.noneOf(LockMode.class);
        for (Slot slot : slots.stream().sorted(TICKET_ORDER).toList()) {
            if (turns == 0 || !together.stream().allMatch(slot.mode()::isCompatibleWith)) {
                turns++;
                together.clear();
            }
            together.add(slot.mode());
        }
        return turns;
    }

    private static boolean isAmong(List<Slot> slots, Slot sought) {
        for (Slot slot : slots) {
            if (isSameAttempt(slot, sought)) {
                return true;
            }
        }
        return false;
    }

    public static boolean isSameAttempt(Slot one, Slot other) {
        return one.id().equals(other.id()) && one.attempt() == other.attempt();
    }

    /**
     * The sessions that have to be watched: those of the first blockers. What is behind them waits for them, or holds the lock
     * together with them and is watched when they are gone.
     *
     * @param isOwn whether a session is one of this process, which need not be watched
     */
    public static Set<UUID> toWatch(List<Slot> blockers, Predicate<UUID> isOwn) {
        return blockers.stream()
                .sorted(TICKET_ORDER)
                .map(Slot::session)
                .filter(isOwn.negate())
                .distinct()
                .limit(WATCHED)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Whether a blocker is CHOOSING: then the order of the tickets is not known yet. */
    public static boolean isUndecided(List<Slot> blockers) {
        return blockers.stream().anyMatch(slot -> slot.phase() == SlotPhase.CHOOSING);
    }
}

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
import java.util.stream.Stream;

/** What a read of a lock's partition means for one slot. These are the decisions of the protocol's section 2, without I/O. */
public final class Bakery {

    /** The order of tickets; rows without one come first. */
    public static final Comparator<Slot> TICKET_ORDER =
            Comparator.comparingLong(Slot::ticket).thenComparing(Slot::id);

    /**
     * How many sessions ahead are watched, from the first one on. If each waiter watched all of them, the cost would grow with
     * the square of the number of waiters.
     */
    private static final int WATCHED = 8;

    private Bakery() {}

    /** Whether the read shows this slot in this attempt. If not, the slot was evicted or has expired. */
    public static boolean shows(LockSlots read, Slot own) {
        return isAmong(read.slots(), own);
    }

    /** The other slots that request or hold the lock in a mode that conflicts with the mode of this row. */
    public static List<Slot> conflicting(LockSlots read, Slot own) {
        return conflicting(read, own.id(), own.mode());
    }

    /** The slots that request or hold the lock in a mode that conflicts with the given mode, without this slot. */
    public static List<Slot> conflicting(LockSlots read, SlotId own, LockMode mode) {
        return read.slots().stream()
                .filter(slot -> !slot.id().equals(own))
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .filter(slot -> !slot.mode().isCompatibleWith(mode))
                .toList();
    }

    /**
     * How many slots may hold the lock at once, as this slot sees it. That is the least of the permits of this slot and of the
     * conflicting slots. A slot without permits, in whatever mode, shares the lock with no slot that conflicts.
     */
    static int permits(int own, Stream<Slot> conflicting) {
        return own == 1 ? 1 : conflicting.mapToInt(Slot::permits).reduce(own, Math::min);
    }

    /**
     * Whether a slot holds the lock although these slots conflict with it and may be ahead (lock modes, section 8).
     *
     * @param permits of the slot
     */
    public static boolean hasRoomBeside(List<Slot> conflicting, int permits) {
        return conflicting.size() < permits(permits, conflicting.stream());
    }

    /** The highest number of permits of all these slots. */
    private static int mostPermits(List<Slot> slots) {
        return slots.stream().mapToInt(Slot::permits).max().orElse(1);
    }

    /** The last of these slots, in their order. They are so many that one is over before a slot behind them holds the lock. */
    static List<Slot> last(List<Slot> inOrder, int permits) {
        int asked = Math.max(permits, mostPermits(inOrder));
        return inOrder.subList(Math.max(0, inOrder.size() - asked), inOrder.size());
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

    /** Whether a conflicting row goes first, because it has no ticket yet, or a lower one. */
    static boolean isAhead(Slot other, Slot own) {
        return other.phase() == SlotPhase.CHOOSING || TICKET_ORDER.compare(other, own) < 0;
    }

    /** Whether a row with a ticket goes after the other slot, which has the given ticket. */
    public static boolean isBehind(Slot own, SlotId other, long ticket) {
        return own.ticket() > ticket || (own.ticket() == ticket && own.id().compareTo(other) > 0);
    }

    /** The present rows that an earlier read showed in the same attempt. */
    public static List<Slot> stillThere(List<Slot> before, List<Slot> now) {
        return now.stream().filter(slot -> isAmong(before, slot)).toList();
    }

    /**
     * In how many turns these slots hold the lock before a slot of so many permits holds it. Neighbours that do not conflict
     * share one turn. With several permits, each turn is one release, and there is one at least: another slot may have fewer.
     */
    public static int turns(List<Slot> slots, int permits) {
        return permits == 1 ? turns(slots) : Math.max(1, slots.size() - permits + 1);
    }

    private static int turns(List<Slot> slots) {
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
     * The sessions to watch, which are the sessions of the first blockers. A later blocker waits for the first ones, or is
     * watched when they are gone. Of slots with permits, as many are watched as may hold the lock. Others take their turns
     * behind a dead one.
     *
     * @param isOwn whether a session is one of this process, which need not be watched
     */
    public static Set<UUID> toWatch(List<Slot> blockers, Predicate<UUID> isOwn) {
        return blockers.stream()
                .sorted(TICKET_ORDER)
                .map(Slot::session)
                .filter(isOwn.negate())
                .distinct()
                .limit(Math.max(WATCHED, mostPermits(blockers)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Whether a blocker is CHOOSING, so that the order of the tickets is not decided yet. */
    public static boolean isUndecided(List<Slot> blockers) {
        return blockers.stream().anyMatch(slot -> slot.phase() == SlotPhase.CHOOSING);
    }
}

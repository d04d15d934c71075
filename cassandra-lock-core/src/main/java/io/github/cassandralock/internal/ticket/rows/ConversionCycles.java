package io.github.cassandralock.internal.ticket.rows;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Finds cycles of waiting conversions, handles and requests in one read (lock modes, section 4, rule 8). Of each cycle, the last
 * request that holds nothing draws a new ticket. After an outdated read, a request may draw a new ticket without need, which only
 * costs its place.
 */
public final class ConversionCycles {

    /*
     * Every waiting request searches at each read, so a search must not compare each slot with each. A slot that belongs to no
     * converted handle waits for all slots of conflicting modes ahead of it. These are the first ones of the queue. The search
     * therefore goes through the queue once for each mode. For the next slot of that mode, it continues where it stopped. Only slots
     * of converted handles, which are few, are compared with all slots.
     */

    /** In this order, requests wait only for slots before them. Slots without a ticket come first, and wait for none. */
    private static final Comparator<Slot> QUEUE = Comparator.<Slot, Boolean>comparing(
                    slot -> slot.phase() != SlotPhase.CHOOSING)
            .thenComparing(Bakery.TICKET_ORDER);

    private final List<Slot> queue;

    /** The place of the first slot that has a ticket. */
    private final int ticketed;

    private final HandleRows handleRows;

    /** How many slots stand on each slot. */
    private final Map<SlotId, Integer> onBase = new HashMap<>();

    /** The places of conversions, and of slots on which one stands. All others are requests that hold nothing. */
    private final BitSet ofHandles = new BitSet();

    private long compared;

    private ConversionCycles(LockSlots read) {
        queue = read.slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .sorted(QUEUE)
                .toList();
        ticketed = (int) queue.stream()
                .takeWhile(slot -> slot.phase() == SlotPhase.CHOOSING)
                .count();
        handleRows = new HandleRows(queue);
        Set<SlotId> below = new HashSet<>();
        for (Slot slot : queue) {
            if (slot.isConversion()) {
                onBase.merge(new SlotId(slot.session(), slot.base()), 1, Integer::sum);
                below.addAll(handleRows.below(slot));
            }
        }
        IntStream.range(0, queue.size())
                .filter(place -> queue.get(place).isConversion()
                        || below.contains(queue.get(place).id()))
                .forEach(ofHandles::set);
    }

    /**
     * The result of a search.
     *
     * @param compared how many pairs of slots were compared
     */
    record Search(boolean hasToGiveWay, long compared) {}

    /** Whether this slot, which has a ticket and waits, has to draw a new ticket. */
    public static boolean hasToGiveWay(LockSlots read, Slot own) {
        return search(read, own).hasToGiveWay();
    }

    static Search search(LockSlots read, Slot own) {
        if (own.isConversion() || read.slots().stream().noneMatch(ConversionCycles::isWaitingConversion)) {
            return new Search(false, 0);
        }
        ConversionCycles cycles = new ConversionCycles(read);
        return new Search(cycles.isLastOnACycle(own), cycles.compared);
    }

    private static boolean isWaitingConversion(Slot slot) {
        return slot.isConversion() && slot.phase() == SlotPhase.TICKETED;
    }

    /** Every cycle has a waiting conversion: requests wait only for slots ahead of them. */
    private boolean isLastOnACycle(Slot own) {
        int place = queue.indexOf(own);
        if (place < 0) {
            return false;
        }
        BitSet waitedFor = waitedForBy(place);
        if (!waitedFor.get(place)
                || waitedFor.stream().mapToObj(queue::get).noneMatch(ConversionCycles::isWaitingConversion)) {
            return false;
        }
        BitSet cycle = waitingFor(place, waitedFor);
        return cycle.stream()
                .filter(other -> !ofHandles.get(other))
                .mapToObj(queue::get)
                .noneMatch(slot -> Bakery.TICKET_ORDER.compare(slot, own) > 0);
    }

    /** The places for which this place waits, directly or not. They include this place only if it is on a cycle. */
    private BitSet waitedForBy(int start) {
        Map<LockMode, Integer> visited = new EnumMap<>(LockMode.class);
        return reached(start, (place, found) -> {
            Slot slot = queue.get(place);
            if (ofHandles.get(place)) {
                IntStream.range(0, queue.size())
                        .filter(other -> isWait(place, other))
                        .forEach(found);
            } else if (place >= ticketed) {
                IntStream.range(visited.getOrDefault(slot.mode(), 0), place)
                        .filter(other -> conflict(place, other))
                        .forEach(found);
                visited.merge(slot.mode(), place, Math::max);
            }
        });
    }

    /** The given places that wait for this place, directly or not. */
    private BitSet waitingFor(int start, BitSet among) {
        Map<LockMode, Integer> visited = new EnumMap<>(LockMode.class);
        return reached(start, (place, found) -> {
            LockMode mode = queue.get(place).mode();
            int behind = Math.max(place + 1, ticketed);
            IntStream.range(behind, visited.getOrDefault(mode, queue.size()))
                    .filter(other -> among.get(other) && !ofHandles.get(other) && conflict(other, place))
                    .forEach(found);
            visited.merge(mode, behind, Math::min);
            ofHandles.stream()
                    .filter(other -> among.get(other) && isWait(other, place))
                    .forEach(found);
        });
    }

    @FunctionalInterface
    private interface Step {
        void from(int place, IntConsumer found);
    }

    private static BitSet reached(int start, Step step) {
        BitSet reached = new BitSet();
        Deque<Integer> next = new ArrayDeque<>(List.of(start));
        while (!next.isEmpty()) {
            step.from(next.remove(), place -> {
                if (!reached.get(place)) {
                    reached.set(place);
                    next.add(place);
                }
            });
        }
        return reached;
    }

    private boolean conflict(int waiting, int ahead) {
        compared++;
        return !queue.get(waiting).mode().isCompatibleWith(queue.get(ahead).mode());
    }

    private boolean isWait(int waiting, int ahead) {
        compared++;
        return waitsFor(queue.get(waiting), queue.get(ahead));
    }

    /** A waiting slot waits for the slots ahead of it. A slot of a handle waits for the conversion of the handle. */
    private boolean waitsFor(Slot slot, Slot other) {
        return handleRows.isBelow(slot, other)
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
                && !Collections.disjoint(handleRows.below(slot), handleRows.below(other));
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
        return handleRows.isBelow(other, slot) || (handleRows.ignores(slot, other) && isOnlyOneOnItsBase(slot));
    }

    private boolean isOnlyOneOnItsBase(Slot slot) {
        return onBase.getOrDefault(new SlotId(slot.session(), slot.base()), 0) == 1;
    }
}

package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.HeldLock;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WaitRow;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Which published waits a wait waits for (lock modes, section 7). Without state.
 *
 * <p>That one wait waits directly for another follows from their two rows alone. So if two rows were true at the same instant, the one
 * waited for the other at that instant.
 */
final class WaitsFor {

    private WaitsFor() {}

    /** Directly: the owner of the other one holds the lock in the way, or the other one is ahead in the queue. */
    static boolean directly(WaitRow one, WaitRow other) {
        return !one.id().equals(other.id()) && (isHeldBy(one, other) || isAhead(one, other) || comesAfter(one, other));
    }

    /** Two handles cannot hold a lock in modes that conflict, so whoever waits for it waits for the one that holds it. */
    private static boolean isHeldBy(WaitRow one, WaitRow other) {
        WaitingCall call = one.call();
        return other.call().held().stream()
                .filter(held -> held.lockId().equals(call.lockId()))
                .filter(held -> !held.mode().isCompatibleWith(call.waitsAs()))
                .anyMatch(held -> !isConvertedBy(one, other, held));
    }

    /** The owner of a conversion may have published another wait, too, which names the converted handle. */
    private static boolean isConvertedBy(WaitRow one, WaitRow other, HeldLock held) {
        return one.id().session().equals(other.id().session())
                && held.number() == one.call().converts();
    }

    private static boolean isAhead(WaitRow one, WaitRow other) {
        WaitingCall call = one.call();
        WaitingCall before = other.call();
        return call.lockId().equals(before.lockId())
                && !call.waitsAs().isCompatibleWith(before.mode())
                && !ignores(call, before.mode())
                && hasEarlierTicket(one, other);
    }

    /** What conflicts with the handle that is converted waits behind it. */
    private static boolean ignores(WaitingCall call, LockMode mode) {
        return call.isConversion() && !mode.isCompatibleWith(call.convertsFrom());
    }

    private static boolean hasEarlierTicket(WaitRow one, WaitRow other) {
        WaitingCall before = other.call();
        return before.hasSlot() && before.ticket() > 0 && isBefore(before.ticket(), slotOf(other), one);
    }

    private static SlotId slotOf(WaitRow row) {
        return new SlotId(row.id().session(), row.call().slot());
    }

    /** A ticket of zero has not been drawn: nothing is known to come before it. */
    private static boolean isBefore(long earlier, SlotId slot, long ticket, SlotId behind) {
        return ticket > 0 && (earlier < ticket || (earlier == ticket && slot.compareTo(behind) < 0));
    }

    /** A call without a ticket may have no slot either. */
    private static boolean isBefore(long earlier, SlotId slot, WaitRow behind) {
        return behind.call().ticket() > 0
                && isBefore(earlier, slot, behind.call().ticket(), slotOf(behind));
    }

    private static boolean isBefore(Slot earlier, Slot behind) {
        return isBefore(earlier.ticket(), earlier.id(), behind.ticket(), behind.id());
    }

    private static boolean comesAfter(WaitRow one, WaitRow other) {
        return one.id().session().equals(other.id().session())
                && one.call().lockId().equals(other.call().lockId())
                && one.call().comesAfter().contains(other.call().arrival());
    }

    /**
     * Directly, or because a slot that is ahead, and belongs to no wait that is published, waits for the other one.
     *
     * @param rows all that the sessions with slots in the lock have published
     */
    static List<WaitRow> of(WaitRow one, Collection<WaitRow> rows, LockSlots read) {
        Set<WaitRow> waitedFor =
                rows.stream().filter(row -> directly(one, row)).collect(Collectors.toCollection(LinkedHashSet::new));
        for (Slot unpublished : unpublishedAhead(one, rows, read)) {
            rows.stream()
                    .filter(row -> waitsFor(unpublished, row, read, one.call().lockId()))
                    .forEach(waitedFor::add);
        }
        return List.copyOf(waitedFor);
    }

    private static boolean waitsFor(Slot slot, WaitRow row, LockSlots read, String lockId) {
        return isHeldBy(slot, row, read, lockId) || isAhead(slot, row, lockId);
    }

    /** A slot that was in the way of the other one when it drew its ticket comes before it. */
    private static boolean isHeldBy(Slot slot, WaitRow row, LockSlots read, String lockId) {
        return row.call().held().stream()
                        .anyMatch(held ->
                                held.lockId().equals(lockId) && !held.mode().isCompatibleWith(slot.mode()))
                && read.slots().stream()
                        .filter(other -> other.session().equals(row.id().session()))
                        .filter(other -> other.phase() != SlotPhase.IDLE)
                        .filter(other -> !other.mode().isCompatibleWith(slot.mode()))
                        .anyMatch(other -> other.ticket() == 0 || isBefore(other, slot));
    }

    private static boolean isAhead(Slot slot, WaitRow row, String lockId) {
        WaitingCall call = row.call();
        return call.lockId().equals(lockId)
                && call.hasSlot()
                && call.ticket() > 0
                && !call.mode().isCompatibleWith(slot.mode())
                && isBefore(call.ticket(), slotOf(row), slot.ticket(), slot.id());
    }

    /** Slots that wait ahead of this wait, or of each other, and are not those of a published wait or of a conversion. */
    private static List<Slot> unpublishedAhead(WaitRow one, Collection<WaitRow> rows, LockSlots read) {
        WaitingCall call = one.call();
        List<Slot> unpublished = read.slots().stream()
                .filter(WaitsFor::mayWait)
                .filter(slot -> rows.stream().noneMatch(row -> isSlotOf(row, slot, call.lockId())))
                .toList();
        Set<Slot> ahead = new LinkedHashSet<>();
        Deque<Slot> next = new ArrayDeque<>();
        unpublished.stream()
                .filter(slot -> !slot.mode().isCompatibleWith(call.waitsAs()) && !ignores(call, slot.mode()))
                .filter(slot -> isBefore(slot.ticket(), slot.id(), one))
                .filter(ahead::add)
                .forEach(next::add);
        while (!next.isEmpty()) {
            Slot behind = next.remove();
            unpublished.stream()
                    .filter(slot -> !slot.mode().isCompatibleWith(behind.mode()))
                    .filter(slot -> isBefore(slot, behind))
                    .filter(ahead::add)
                    .forEach(next::add);
        }
        return List.copyOf(ahead);
    }

    /** A conversion is published always, and whoever has no ticket yet is not known to wait. */
    private static boolean mayWait(Slot slot) {
        return (slot.phase() == SlotPhase.TICKETED || slot.phase() == SlotPhase.RETICKETED) && !slot.isConversion();
    }

    private static boolean isSlotOf(WaitRow row, Slot slot, String lockId) {
        return row.call().lockId().equals(lockId)
                && row.call().attempt() == slot.attempt()
                && slotOf(row).equals(slot.id());
    }

    /** The sessions whose waits matter for who waits for whom in this lock: those with slots. */
    static Set<UUID> sessions(LockSlots read) {
        return read.slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .map(Slot::session)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}

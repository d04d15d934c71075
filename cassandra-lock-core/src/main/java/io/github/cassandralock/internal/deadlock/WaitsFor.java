package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.HeldLock;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Decides for which waits a wait waits (lock modes, section 7). A wait waits for the conversions ahead of it. It also waits for
 * holders of its lock whose mode conflicts with it, or with a request ahead of it. Without state.
 *
 * <p>The two rows alone show that a wait waits directly for another. So if both rows were true at one instant, the one waited for
 * the other at that instant.
 */
final class WaitsFor {

    private static final Comparator<Slot> TICKET_ORDER =
            Comparator.comparingLong(Slot::ticket).thenComparing(Slot::id);

    private WaitsFor() {}

    /**
     * Whether one call waits directly for another call. The owner of the other call then holds the lock in a mode that conflicts,
     * whatever the order of tickets. Or the other call is a conversion that is ahead.
     */
    static boolean isShownByTheTwoRows(PublishedWait one, PublishedWait other) {
        WaitingCall call = one.call();
        return !one.id().equals(other.id())
                && (isHeldBy(one, other)
                        || (isConversionOf(other, call.lockId())
                                && !call.waitsAs().isCompatibleWith(other.call().mode())
                                && !ignores(call, other.call().mode())
                                && isBefore(other.call().ticket(), slotOf(other), one)));
    }

    private static boolean isHeldBy(PublishedWait one, PublishedWait other) {
        return heldOf(other, one.call().lockId())
                .filter(held -> !held.mode().isCompatibleWith(one.call().waitsAs()))
                .anyMatch(held -> !isConvertedBy(one, other, held));
    }

    private static Stream<HeldLock> heldOf(PublishedWait wait, String lockId) {
        return wait.call().held().stream().filter(held -> held.lockId().equals(lockId));
    }

    /** The owner of a conversion may have a second wait, which names the converted handle. */
    private static boolean isConvertedBy(PublishedWait one, PublishedWait other, HeldLock held) {
        return one.id().session().equals(other.id().session())
                && held.number() == one.call().converts();
    }

    /** A ticket of zero is not drawn yet, so it has no place in the order. */
    private static boolean isConversionOf(PublishedWait wait, String lockId) {
        WaitingCall call = wait.call();
        return call.isConversion() && call.lockId().equals(lockId) && call.hasSlot() && call.ticket() > 0;
    }

    /** Requests that conflict with the converted handle wait behind the conversion. */
    private static boolean ignores(WaitingCall call, LockMode mode) {
        return call.isConversion() && !mode.isCompatibleWith(call.convertsFrom());
    }

    private static SlotId slotOf(PublishedWait wait) {
        return new SlotId(wait.id().session(), wait.call().slot());
    }

    private static boolean isBefore(long earlier, SlotId slot, PublishedWait behind) {
        long ticket = behind.call().ticket();
        return ticket > 0 && isBefore(earlier, slot, ticket, slotOf(behind));
    }

    private static boolean isBefore(long earlier, SlotId slot, long ticket, SlotId behind) {
        return earlier < ticket || (earlier == ticket && slot.compareTo(behind) < 0);
    }

    private static boolean isBefore(Slot earlier, Slot behind) {
        return isBefore(earlier.ticket(), earlier.id(), behind.ticket(), behind.id());
    }

    /** The calls for which one call waits, directly or behind a request that is ahead. The picture must show the lock. */
    static List<PublishedWait> of(PublishedWait one, Picture picture) {
        List<PublishedWait> others = picture.holdersOf(one.call().lockId());
        if (others.isEmpty()) {
            return List.of();
        }
        Set<Slot> ahead = ahead(one, picture).keySet();
        return others.stream()
                .filter(other -> isShownByTheTwoRows(one, other)
                        || ahead.stream().anyMatch(slot -> waits(slot, other, one, picture)))
                .toList();
    }

    /** Whether the picture shows that one call waits for the other. */
    static boolean is(PublishedWait one, PublishedWait other, Picture picture) {
        return isShownByTheTwoRows(one, other)
                || ahead(one, picture).keySet().stream().anyMatch(slot -> waits(slot, other, one, picture));
    }

    /** The sessions of the requests behind which one call waits for the other. Empty if it waits directly. */
    static Set<UUID> passedThrough(PublishedWait one, PublishedWait other, Picture picture) {
        Set<UUID> sessions = new HashSet<>();
        if (!isShownByTheTwoRows(one, other)) {
            Map<Slot, Optional<Slot>> ahead = ahead(one, picture);
            Optional<Slot> next = ahead.keySet().stream()
                    .filter(slot -> waits(slot, other, one, picture))
                    .findFirst();
            while (next.isPresent()) {
                sessions.add(next.get().session());
                next = ahead.getOrDefault(next.get(), Optional.empty());
            }
        }
        return sessions;
    }

    private static boolean waits(Slot slot, PublishedWait other, PublishedWait one, Picture picture) {
        String lockId = one.call().lockId();
        WaitingCall call = other.call();
        return (heldOf(other, lockId).anyMatch(held -> !held.mode().isCompatibleWith(slot.mode()))
                        && hasSlotBefore(slot, other.id().session(), picture, lockId))
                || (isConversionOf(other, lockId)
                        && !call.mode().isCompatibleWith(slot.mode())
                        && isBefore(call.ticket(), slotOf(other), slot.ticket(), slot.id()));
    }

    /** A slot precedes a request if it was in the way when the request drew its ticket. */
    private static boolean hasSlotBefore(Slot slot, UUID holder, Picture picture, String lockId) {
        return slots(picture, lockId)
                .filter(other -> other.session().equals(holder) && other.phase() != SlotPhase.IDLE)
                .filter(other -> !other.mode().isCompatibleWith(slot.mode()))
                .anyMatch(other -> other.ticket() == 0 || isBefore(other, slot));
    }

    private static Stream<Slot> slots(Picture picture, String lockId) {
        return picture.lock(lockId).stream().flatMap(read -> read.slots().stream());
    }

    /**
     * The requests with tickets that wait ahead of a wait, or of each other. Each has the request that is behind it, if there is
     * one.
     */
    private static Map<Slot, Optional<Slot>> ahead(PublishedWait one, Picture picture) {
        WaitingCall call = one.call();
        List<Slot> requests =
                slots(picture, call.lockId()).filter(WaitsFor::mayWait).toList();
        Map<Slot, Optional<Slot>> ahead = new LinkedHashMap<>();
        Deque<Slot> next = new ArrayDeque<>();
        requests.stream()
                .filter(slot -> !slot.mode().isCompatibleWith(call.waitsAs()) && !ignores(call, slot.mode()))
                .filter(slot -> isBefore(slot.ticket(), slot.id(), one))
                .filter(slot -> ahead.put(slot, Optional.empty()) == null)
                .forEach(next::add);
        while (!next.isEmpty()) {
            Slot behind = next.remove();
            requests.stream()
                    .filter(slot -> !slot.mode().isCompatibleWith(behind.mode()))
                    .filter(slot -> isBefore(slot, behind))
                    .filter(slot -> ahead.putIfAbsent(slot, Optional.of(behind)) == null)
                    .forEach(next::add);
        }
        return ahead;
    }

    /** Conversions are excluded, because they are always published. A slot without a ticket has no place in the order yet. */
    private static boolean mayWait(Slot slot) {
        return (slot.phase() == SlotPhase.TICKETED || slot.phase() == SlotPhase.RETICKETED) && !slot.isConversion();
    }

    /**
     * The sessions that matter for this lock: those with slots that may hold it, and those that convert. A slot waits if it comes
     * after a slot that conflicts with it.
     */
    static Set<UUID> sessions(LockSlots read) {
        Set<UUID> sessions = new HashSet<>();
        Set<LockMode> before = EnumSet.noneOf(LockMode.class);
        read.slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .sorted(TICKET_ORDER)
                .forEach(slot -> {
                    if (slot.isConversion()
                            || slot.phase() == SlotPhase.CHOOSING
                            || before.stream().allMatch(slot.mode()::isCompatibleWith)) {
                        sessions.add(slot.session());
                    }
                    if (slot.phase() != SlotPhase.CHOOSING) {
                        before.add(slot.mode());
                    }
                });
        return sessions;
    }
}

package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.PublishedHold;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides for which waits a wait waits (lock modes, section 7). A wait waits for the conversions ahead of it. It also waits for
 * holders of its lock whose mode conflicts with it, or with a request ahead of it. Without state.
 *
 * <p>The two rows alone show that a wait waits directly for another. Therefore, if both rows were true at one instant, the one
 * waited for the other at that instant.
 */
final class WaitsFor {

    private static final Comparator<Slot> TICKET_ORDER =
            Comparator.comparingLong(Slot::ticket).thenComparing(Slot::id);

    /**
     * A request that waits ahead of a wait.
     *
     * @param holders the sessions that may hold the lock ahead of the request
     * @param behind the request between this request and the wait; empty if the wait itself conflicts with this request
     */
    private record Ahead(Slot slot, Set<UUID> holders, Optional<Ahead> behind) {

        private boolean waitsFor(PublishedWait other, PublishedWait one) {
            String lockId = one.call().lockId();
            WaitingCall call = other.call();
            return (holders.contains(other.id().session())
                            && heldOf(other, lockId)
                                    .anyMatch(held -> !held.mode().isCompatibleWith(slot.mode())))
                    || (isConversionOf(other, lockId)
                            && !call.mode().isCompatibleWith(slot.mode())
                            && isBefore(call.ticket(), slotOf(other), slot.ticket(), slot.id()));
        }
    }

    private WaitsFor() {}

    /**
     * Whether one call waits directly for another call. The owner of the other call then holds the lock in a mode that conflicts,
     * whatever the order of tickets. Or the other call is a conversion that is ahead.
     */
    static boolean isShownByTheTwoRows(PublishedWait one, PublishedWait other) {
        return holdsOf(other, one).findAny().isPresent() || isConversionAhead(other, one);
    }

    /** The holds in the way of one call that are the other owner's. */
    static Stream<PublishedHold> holdsOf(PublishedWait other, PublishedWait one) {
        return one.id().equals(other.id())
                ? Stream.empty()
                : heldOf(other, one.call().lockId())
                        .filter(held -> !held.mode().isCompatibleWith(one.call().waitsAs()))
                        .filter(held -> !isConvertedBy(one, other, held));
    }

    /** Whether the other call is a conversion that one call waits for. */
    static boolean isConversionAhead(PublishedWait other, PublishedWait one) {
        WaitingCall call = one.call();
        return !one.id().equals(other.id())
                && isConversionOf(other, call.lockId())
                && !call.waitsAs().isCompatibleWith(other.call().mode())
                && !ignores(call, other.call().mode())
                && isBefore(other.call().ticket(), slotOf(other), one);
    }

    private static Stream<PublishedHold> heldOf(PublishedWait wait, String lockId) {
        return wait.call().held().stream().filter(held -> held.lockId().equals(lockId));
    }

    /** The owner of a conversion may have a second wait, which names the converted handle. */
    private static boolean isConvertedBy(PublishedWait one, PublishedWait other, PublishedHold held) {
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
        if (one.call().permits() > 1) {
            return others.stream()
                    .filter(other -> isShownByTheTwoRows(one, other))
                    .toList();
        }
        List<Ahead> ahead = ahead(one, picture);
        return others.stream()
                .filter(other -> isShownByTheTwoRows(one, other)
                        || ahead.stream().anyMatch(request -> request.waitsFor(other, one)))
                .toList();
    }

    /** Whether the picture shows that one call waits for the other. */
    static boolean is(PublishedWait one, PublishedWait other, Picture picture) {
        return isShownByTheTwoRows(one, other)
                || ahead(one, picture).stream().anyMatch(request -> request.waitsFor(other, one));
    }

    /** The sessions of the requests behind which one call waits for the other. Empty if it waits directly. */
    static Set<UUID> passedThrough(PublishedWait one, PublishedWait other, Picture picture) {
        Set<UUID> sessions = new HashSet<>();
        if (!isShownByTheTwoRows(one, other)) {
            Optional<Ahead> next = ahead(one, picture).stream()
                    .filter(request -> request.waitsFor(other, one))
                    .findFirst();
            while (next.isPresent()) {
                sessions.add(next.get().slot().session());
                next = next.get().behind();
            }
        }
        return sessions;
    }

    /**
     * The request with the fewest permits ahead of a request for a permit. Empty if none ahead has fewer permits than that
     * request.
     */
    static Optional<Slot> fewerPermitsAhead(PublishedWait one, Picture picture) {
        WaitingCall call = one.call();
        return slots(picture, call.lockId())
                .filter(slot -> slot.permits() < call.permits() && mayWait(slot))
                .filter(slot -> !slot.mode().isCompatibleWith(call.waitsAs()))
                .filter(slot -> isBefore(slot.ticket(), slot.id(), one))
                .min(Comparator.comparingInt(Slot::permits));
    }

    private static Stream<Slot> slots(Picture picture, String lockId) {
        return picture.lock(lockId).stream().flatMap(read -> read.slots().stream());
    }

    /**
     * The last request with a ticket, for each mode, that waits ahead of a wait or of a request ahead. Earlier requests in that mode
     * wait for nothing else.
     */
    private static List<Ahead> ahead(PublishedWait one, Picture picture) {
        WaitingCall call = one.call();
        Map<LockMode, Ahead> ahead = new EnumMap<>(LockMode.class);
        slots(picture, call.lockId())
                .filter(slot -> mayWait(slot) && isBefore(slot.ticket(), slot.id(), one))
                .sorted(TICKET_ORDER.reversed())
                .forEach(slot -> {
                    boolean direct = !slot.mode().isCompatibleWith(call.waitsAs()) && !ignores(call, slot.mode());
                    Optional<Ahead> behind = ahead.values().stream()
                            .filter(later ->
                                    !slot.mode().isCompatibleWith(later.slot().mode()))
                            .findFirst();
                    if (!ahead.containsKey(slot.mode()) && (direct || behind.isPresent())) {
                        ahead.put(
                                slot.mode(),
                                new Ahead(
                                        slot,
                                        holders(slot, picture, call.lockId()),
                                        direct ? Optional.empty() : behind));
                    }
                });
        return List.copyOf(ahead.values());
    }

    /** The sessions with a slot that was in the way of a request when the request drew its ticket. */
    private static Set<UUID> holders(Slot request, Picture picture, String lockId) {
        return slots(picture, lockId)
                .filter(other -> other.phase() != SlotPhase.IDLE)
                .filter(other -> !other.mode().isCompatibleWith(request.mode()))
                .filter(other -> isBefore(other, request))
                .map(Slot::session)
                .collect(Collectors.toSet());
    }

    /** Conversions are excluded, because they are always published. A slot without a ticket has no place in the order yet. */
    private static boolean mayWait(Slot slot) {
        return (slot.phase() == SlotPhase.TICKETED || slot.phase() == SlotPhase.RETICKETED) && !slot.isConversion();
    }

    /**
     * The sessions that matter for this lock: those with slots that may hold it, and those that convert. A slot waits if as many
     * that conflict with it come before it as it has permits.
     */
    static Set<UUID> sessions(LockSlots read) {
        Set<UUID> sessions = new HashSet<>();
        Map<LockMode, Long> before = new EnumMap<>(LockMode.class);
        read.slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .sorted(TICKET_ORDER)
                .forEach(slot -> {
                    if (slot.isConversion()
                            || slot.phase() == SlotPhase.CHOOSING
                            || conflicting(before, slot.mode()) < slot.permits()) {
                        sessions.add(slot.session());
                    }
                    if (slot.phase() != SlotPhase.CHOOSING) {
                        before.merge(slot.mode(), 1L, Long::sum);
                    }
                });
        return sessions;
    }

    private static long conflicting(Map<LockMode, Long> numbers, LockMode mode) {
        return numbers.entrySet().stream()
                .filter(other -> !other.getKey().isCompatibleWith(mode))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}

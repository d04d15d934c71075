package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * One call and the calls in its way, as a picture shows them (lock modes, section 8). A call without permits waits for each of
 * them. A request for a permit waits for several together, because each of them may free a permit. Immutable.
 *
 * @param fewer the request ahead that has the fewest permits, if these are fewer than the permits of the call
 * @param others the calls in the way
 */
record Obstacles(PublishedWait one, Optional<Slot> fewer, List<PublishedWait> others) {

    /** A handle of an owner. Several calls of the owner may name it. */
    private record Handle(UUID session, long number) {}

    /** The picture must show the lock. */
    static Obstacles of(PublishedWait one, Picture picture) {
        return new Obstacles(
                one,
                one.call().permits() == 1 ? Optional.empty() : WaitsFor.fewerPermitsAhead(one, picture),
                WaitsFor.of(one, picture));
    }

    /** The calls in the way each of which suffices alone. */
    List<PublishedWait> alone() {
        return one.call().permits() == 1
                ? others
                : others.stream().filter(other -> suffice(List.of(other))).toList();
    }

    /** Whether the call waits at least until one of the selected calls has ended. */
    boolean suffice(Predicate<PublishedWait> selected) {
        return suffice(others.stream().filter(selected).toList());
    }

    /** As few of the selected calls as suffice. The selected calls must suffice. */
    List<PublishedWait> few(Predicate<PublishedWait> selected) {
        List<PublishedWait> few = new ArrayList<>();
        for (PublishedWait other : others) {
            if (selected.test(other) && !suffice(few)) {
                if (suffice(List.of(other))) {
                    return List.of(other);
                }
                few.add(other);
            }
        }
        return few;
    }

    /** The sessions of the requests behind which the call waits for the selected calls. Empty if it waits directly. */
    Set<UUID> passedThrough(Predicate<PublishedWait> selected, Picture picture) {
        List<PublishedWait> some = others.stream().filter(selected).toList();
        int permits = one.call().permits();
        if (permits > 1) {
            return suffice(some, permits)
                    ? Set.of()
                    : fewer.map(slot -> Set.of(slot.session())).orElseGet(Set::of);
        }
        return some.stream().anyMatch(other -> WaitsFor.isShownByTheTwoRows(one, other))
                ? Set.of()
                : some.stream()
                        .findFirst()
                        .map(other -> WaitsFor.passedThrough(one, other, picture))
                        .orElseGet(Set::of);
    }

    private boolean suffice(Collection<PublishedWait> some) {
        return suffice(some, fewer.map(Slot::permits).orElse(one.call().permits()));
    }

    /** Whether one of them is in the way of a call without permits, or these permits are in use. */
    private boolean suffice(Collection<PublishedWait> some, int permits) {
        return permits == 1
                ? !some.isEmpty()
                : areInUse(some, permits) || some.stream().anyMatch(this::isConversion);
    }

    private boolean isConversion(PublishedWait other) {
        return WaitsFor.isConversionAhead(other, one);
    }

    /** Whether these calls hold so many permits, or as many as one of their requests had. A holder without permits has one. */
    private boolean areInUse(Collection<PublishedWait> some, int permits) {
        Map<Handle, Integer> inUse = new HashMap<>();
        some.forEach(other -> WaitsFor.holdsOf(other, one)
                .forEach(held -> inUse.put(new Handle(other.id().session(), held.number()), held.permits())));
        return inUse.size() >= inUse.values().stream().mapToInt(held -> held).reduce(permits, Math::min);
    }
}

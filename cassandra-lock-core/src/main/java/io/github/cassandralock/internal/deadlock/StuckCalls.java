package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds calls that wait for each other together, some of them for permits (lock modes, section 8). Calls are stuck if each of them
 * waits at least until another one of them has ended. Immutable.
 */
final class StuckCalls {

    private final Map<WaitId, Obstacles> calls;
    private final Map<WaitId, Set<WaitId>> behind = new HashMap<>();

    /** @param calls the calls that are considered, with all that is in their way */
    StuckCalls(Map<WaitId, Obstacles> calls) {
        this.calls = calls;
        calls.forEach((id, obstacles) -> obstacles
                .others()
                .forEach(other -> behind.computeIfAbsent(other.id(), same -> new LinkedHashSet<>())
                        .add(id)));
    }

    /**
     * A deadlock that ends with this call: the call is stuck, and the others are not stuck without it. Empty if there is none, or
     * if the call waits for others that are stuck without it.
     */
    Optional<DeadlockCycle> endingWith(PublishedWait own) {
        Set<WaitId> stuck = stuckAmong(calls.keySet());
        if (!stuck.contains(own.id())) {
            return Optional.empty();
        }
        stuck.removeAll(stuckAmong(without(stuck, own)));
        Set<WaitId> needed = stuckAmong(stuck);
        return needed.contains(own.id()) ? cycle(own, needed) : Optional.empty();
    }

    private static Set<WaitId> without(Set<WaitId> all, PublishedWait one) {
        Set<WaitId> others = new HashSet<>(all);
        others.remove(one.id());
        return others;
    }

    /** The most of these calls that are stuck. A call that is not stuck is removed, until nothing changes. */
    private Set<WaitId> stuckAmong(Collection<WaitId> some) {
        Set<WaitId> stuck = new HashSet<>(some);
        Deque<WaitId> check = new ArrayDeque<>(some);
        while (!check.isEmpty()) {
            WaitId next = check.remove();
            if (stuck.contains(next) && !obstacles(next).suffice(isAmong(stuck))) {
                stuck.remove(next);
                check.addAll(behind.getOrDefault(next, Set.of()));
            }
        }
        return stuck;
    }

    private static Predicate<PublishedWait> isAmong(Set<WaitId> some) {
        return wait -> some.contains(wait.id());
    }

    private Obstacles obstacles(WaitId call) {
        return Objects.requireNonNull(calls.get(call));
    }

    /** The shortest cycle through the call, and the other calls that the cycle needs. */
    private Optional<DeadlockCycle> cycle(PublishedWait own, Set<WaitId> stuck) {
        Map<WaitId, PublishedWait> needed = new LinkedHashMap<>();
        Map<WaitId, @Nullable PublishedWait> reachedFrom = new HashMap<>();
        Deque<PublishedWait> next = new ArrayDeque<>(List.of(own));
        PublishedWait last = null;
        while (!next.isEmpty()) {
            PublishedWait wait = next.remove();
            needed.put(wait.id(), wait);
            for (PublishedWait other : obstacles(wait.id()).few(isAmong(stuck))) {
                if (other.id().equals(own.id())) {
                    last = last == null ? wait : last;
                } else if (!reachedFrom.containsKey(other.id())) {
                    reachedFrom.put(other.id(), wait);
                    next.add(other);
                }
            }
        }
        return Optional.ofNullable(last).map(end -> DeadlockCycle.of(end, reachedFrom, needed.values()));
    }
}

package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Searches one picture for cycles, and records what the picture does not show yet. A search follows only waits that precede its own
 * in the order of {@link WaitId}. So exactly one wait of each cycle finds it. The shortest cycle is found first. Not thread-safe.
 */
final class CycleSearch {

    private final Picture picture;
    private final Wanted missing = new Wanted();

    CycleSearch(Picture picture) {
        this.picture = picture;
    }

    /** What the searches so far could not follow, because the picture does not show it. */
    Wanted missing() {
        return missing;
    }

    /** A cycle that begins with this wait, and in which no wait has a higher id. Empty if the picture shows none. */
    Optional<DeadlockCycle> from(PublishedWait own) {
        Deque<PublishedWait> next = new ArrayDeque<>(List.of(own));
        Map<WaitId, @Nullable PublishedWait> reachedFrom = new HashMap<>();
        while (!next.isEmpty()) {
            PublishedWait wait = next.remove();
            require(wait.call().lockId());
            for (PublishedWait other : WaitsFor.of(wait, picture)) {
                if (other.id().equals(own.id())) {
                    DeadlockCycle cycle = cycle(wait, reachedFrom);
                    if (!cycle.isLeftToRule8()) {
                        return Optional.of(cycle);
                    }
                } else if (other.id().compareTo(own.id()) < 0 && !reachedFrom.containsKey(other.id())) {
                    reachedFrom.put(other.id(), wait);
                    next.add(other);
                }
            }
        }
        return Optional.empty();
    }

    private void require(String lockId) {
        if (!picture.shows(lockId)) {
            missing.lock(lockId);
        }
        picture.sessionsOf(lockId).stream()
                .filter(session -> !picture.shows(session))
                .forEach(missing::session);
    }

    private static DeadlockCycle cycle(PublishedWait last, Map<WaitId, @Nullable PublishedWait> reachedFrom) {
        List<PublishedWait> cycle = new ArrayList<>();
        for (PublishedWait wait = last; wait != null; wait = reachedFrom.get(wait.id())) {
            cycle.add(wait);
        }
        Collections.reverse(cycle);
        return new DeadlockCycle(cycle);
    }
}

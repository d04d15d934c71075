package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Searches one picture for cycles, and records what the picture does not show yet. A search follows only waits that precede its own
 * in the order of {@link WaitId}. Therefore exactly one wait of each cycle finds the cycle. The shortest cycle is found first.
 * Cycles of waits each of which suffices alone come before those that need permits of further waits. Not thread-safe.
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
        boolean permits = false;
        while (!next.isEmpty()) {
            PublishedWait wait = next.remove();
            permits = permits || wait.call().permits() > 1;
            for (PublishedWait other : obstacles(wait).alone()) {
                if (other.id().equals(own.id())) {
                    DeadlockCycle cycle = DeadlockCycle.of(wait, reachedFrom, List.of());
                    if (!cycle.isLeftToRule8()) {
                        return Optional.of(cycle);
                    }
                } else if (other.id().compareTo(own.id()) < 0 && !reachedFrom.containsKey(other.id())) {
                    reachedFrom.put(other.id(), wait);
                    next.add(other);
                }
            }
        }
        return permits
                ? new StuckCalls(reachable(own)).endingWith(own).filter(cycle -> !cycle.isLeftToRule8())
                : Optional.empty();
    }

    /** The waits for which this wait waits, and the wait itself. None has a higher id. */
    private Map<WaitId, Obstacles> reachable(PublishedWait own) {
        Map<WaitId, Obstacles> reached = new LinkedHashMap<>();
        Deque<PublishedWait> next = new ArrayDeque<>(List.of(own));
        while (!next.isEmpty()) {
            PublishedWait wait = next.remove();
            if (wait.id().compareTo(own.id()) <= 0 && !reached.containsKey(wait.id())) {
                Obstacles obstacles = obstacles(wait);
                reached.put(wait.id(), obstacles);
                next.addAll(obstacles.others());
            }
        }
        return reached;
    }

    private Obstacles obstacles(PublishedWait wait) {
        require(wait.call().lockId());
        return Obstacles.of(wait, picture);
    }

    private void require(String lockId) {
        if (!picture.shows(lockId)) {
            missing.locks().add(lockId);
        }
        picture.sessionsOf(lockId).stream()
                .filter(session -> !picture.shows(session))
                .forEach(missing.sessions()::add);
    }
}

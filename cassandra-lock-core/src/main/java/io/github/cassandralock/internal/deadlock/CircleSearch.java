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
 * Looks for circles in one picture, and notes what the picture has to show for that. A search follows only waits that come before its own
 * in the order of {@link WaitId}, so that of each circle exactly one wait finds it. The shortest circle is found first. Not thread-safe.
 */
final class CircleSearch {

    private final Picture picture;
    private final Wanted missing = new Wanted();

    CircleSearch(Picture picture) {
        this.picture = picture;
    }

    /** What the searches so far would have followed further. */
    Wanted missing() {
        return missing;
    }

    /** A circle that begins with this wait, and in which it is the last; empty if the picture shows none. */
    Optional<Circle> from(PublishedWait own) {
        Deque<PublishedWait> next = new ArrayDeque<>(List.of(own));
        Map<WaitId, @Nullable PublishedWait> reachedFrom = new HashMap<>();
        while (!next.isEmpty()) {
            PublishedWait wait = next.remove();
            require(wait.call().lockId());
            for (PublishedWait other : WaitsFor.of(wait, picture)) {
                if (other.id().equals(own.id())) {
                    Circle circle = circle(wait, reachedFrom);
                    if (!circle.dissolves()) {
                        return Optional.of(circle);
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

    private static Circle circle(PublishedWait last, Map<WaitId, @Nullable PublishedWait> reachedFrom) {
        List<PublishedWait> circle = new ArrayList<>();
        for (PublishedWait wait = last; wait != null; wait = reachedFrom.get(wait.id())) {
            circle.add(wait);
        }
        Collections.reverse(circle);
        return new Circle(circle);
    }
}

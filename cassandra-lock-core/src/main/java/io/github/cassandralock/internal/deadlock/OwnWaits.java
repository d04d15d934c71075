package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.deadlock.CheckedCall.Standing;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The states of the waiting calls of this process, and since when each call has had its state. Not thread-safe. */
final class OwnWaits {

    private Map<Long, Known> known = Map.of();
    private long rounds;

    /** @param changed the round in which the call was first found in this state */
    private record Known(Standing standing, long changed) {}

    /**
     * Records the answers of the calls, and returns the waits to publish.
     *
     * @param session calls with slots of another session are left out
     * @param standings by the numbers of the calls, in their order
     */
    List<PublishedWait> asked(OwnSession session, Map<Long, Standing> standings) {
        rounds++;
        Map<Long, Known> now = new LinkedHashMap<>();
        standings.forEach((number, standing) -> {
            if (standing.session() == session) {
                now.put(number, new Known(standing, changed(known.get(number), standing)));
            }
        });
        known = now;
        return now.entrySet().stream()
                .map(call -> new PublishedWait(
                        new WaitId(session.id(), call.getKey()),
                        call.getValue().changed(),
                        call.getValue().standing().call()))
                .toList();
    }

    private long changed(@Nullable Known before, Standing now) {
        return before != null && before.standing().equals(now) ? before.changed() : rounds;
    }

    /** The state of the call in the last answer. */
    Optional<Standing> standing(long number) {
        return Optional.ofNullable(known.get(number)).map(Known::standing);
    }
}

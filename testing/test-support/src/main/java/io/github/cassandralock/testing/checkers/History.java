package io.github.cassandralock.testing.checkers;

import io.github.cassandralock.testing.workload.Event;
import java.util.List;

/**
 * What one process recorded from its start to its end.
 *
 * @param endedAt when it was gone
 * @param killed whether it was not asked to end, so that attempts may have been cut short
 */
public record History(String worker, List<Event> events, long endedAt, boolean killed) {

    public History {
        events = List.copyOf(events);
    }
}

package io.github.cassandralock.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * The waiting calls of one process, in one row. Always written as a whole.
 *
 * @param session of the process
 * @param seq rises by one with each write. A write is sent after the write before it was acknowledged, with calls that were queried
 *     after that. A write that was not acknowledged is followed by one with the same value
 * @param interval how often the process raises {@code seq}
 * @param waits calls of this session whose owners hold locks
 */
public record PublishedWaits(UUID session, long seq, Duration interval, List<PublishedWait> waits) {

    public PublishedWaits {
        waits = List.copyOf(waits);
    }

    /** The row of a process that has published nothing. */
    public static PublishedWaits none(UUID session) {
        return new PublishedWaits(session, 0, Duration.ZERO, List.of());
    }
}

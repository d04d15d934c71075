package io.github.cassandralock.internal.store;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The published waits, a row per session (lock modes, section 7). Every operation is at quorum and idempotent. Of two writes to one
 * row, the one with the higher timestamp wins, in whatever order they arrive. Thread-safe; no method blocks.
 */
public interface WaitStore {

    /**
     * Writes all cells of a row.
     *
     * @param timestamp from the session's own counter
     * @param ttl the time after which the row expires; whole seconds
     */
    CompletionStage<WriteOutcome> write(PublishedWaits row, long timestamp, Duration ttl);

    /** Deletes the row of a session, if it was written with a lower timestamp. */
    CompletionStage<WriteOutcome> remove(UUID session, long timestamp);

    /**
     * Reads the row of a session. Empty if there is no row that this version can read. Completes exceptionally if no quorum
     * answered.
     */
    CompletionStage<Optional<PublishedWaits>> read(UUID session);
}

package io.github.cassandralock.internal.store;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Locks' partitions, one row per session (protocol, section 1). Every operation is at quorum, so what an acknowledged
 * write wrote is seen by every read that begins after it. Reads are regular, not atomic: of two that run while a write
 * does, the later one may show the older state.
 *
 * <p>Of two writes to the same row the one with the higher timestamp wins, in whatever order they arrive. Timestamps are
 * the caller's, not a clock's. All operations are idempotent. Thread-safe; nothing here blocks.
 */
public interface SlotStore {

    /**
     * Writes all cells of a row.
     *
     * @param timestamp from the session's own counter
     * @param ttl after which the row ceases to exist, judged by the servers' clocks; whole seconds
     */
    CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl);

    /** Reads the whole partition. Completes exceptionally if no quorum answered. */
    CompletionStage<LockSlots> read(String lockId);

    /** Raises the last token to at least this much: a value that was written stays, unless a higher one is. */
    CompletionStage<WriteOutcome> reserve(String lockId, long lastToken);

    /** Deletes the row of a session that is dead, above every timestamp that session has ever drawn. */
    CompletionStage<WriteOutcome> evict(String lockId, UUID session);
}

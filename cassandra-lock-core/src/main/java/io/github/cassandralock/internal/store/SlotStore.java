package io.github.cassandralock.internal.store;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The partitions of locks, with one row per slot (protocol, section 1). Every operation is at quorum, so each read that begins
 * after a write was acknowledged sees that write. Reads are regular, not atomic: of two reads during a write, the later one may
 * show the older state.
 *
 * <p>Of two writes to one row, the one with the higher timestamp wins, in whatever order they arrive. The caller supplies the
 * timestamps; they do not come from a clock. All operations are idempotent. Thread-safe; no method blocks.
 */
public interface SlotStore {

    /**
     * Writes all cells of a row.
     *
     * @param timestamp from the session's own counter
     * @param ttl the time after which the row expires, by the servers' clocks; whole seconds
     */
    CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl);

    /** Reads the whole partition. Completes exceptionally if no quorum answered. */
    CompletionStage<LockSlots> read(String lockId);

    /** Raises the last token to at least this value. A write with a lower value than a stored one changes nothing. */
    CompletionStage<WriteOutcome> reserve(String lockId, long lastToken);

    /**
     * Stores that a change of the lock's value has been opened under this token. A write with a lower token than a stored one
     * changes nothing. Does not expire.
     */
    CompletionStage<WriteOutcome> openValue(String lockId, long token);

    /**
     * Stores the lock's value under the token of the change. A write with a lower token than a stored one changes nothing. Does not
     * expire.
     *
     * @param bytes must not be changed any more
     */
    CompletionStage<WriteOutcome> closeValue(String lockId, long token, byte[] bytes);

    /** Reads the lock's value, and no slots. Completes exceptionally if no quorum answered. */
    CompletionStage<StoredValue> readValue(String lockId);

    /** Deletes all rows of a dead session, with a timestamp higher than all timestamps that the session can have drawn. */
    CompletionStage<WriteOutcome> evict(String lockId, UUID session);
}

package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Rows of named cells, one row per lock id, sorted by name: the data model of the thesis (section 2). Every operation
 * is at quorum, so what a completed write wrote is seen by every read that begins after it.
 *
 * <p>Of two operations on the same cell the one with the higher timestamp wins, in whatever order they arrive; on a tie
 * the deletion. Timestamps are the caller's, not a clock's. Operations are idempotent. Stages never complete on the
 * calling thread's time: nothing here blocks. Thread-safe.
 */
public interface CellStore {

    /** Writes a cell that ceases to exist after {@code ttlSeconds}, judged by the servers' clocks. */
    CompletionStage<WriteOutcome> write(String lockId, String cell, long timestamp, int ttlSeconds);

    /** Deletes a cell, whether it exists or not. */
    CompletionStage<WriteOutcome> delete(String lockId, String cell, long timestamp);

    /**
     * The names of the row's cells in order, from the given name on (the empty string: from the start), at most {@code
     * limit}. Completes exceptionally if the row could not be read.
     */
    CompletionStage<List<String>> read(String lockId, String fromCell, int limit);
}

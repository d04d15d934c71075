package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Rows of named cells, one row per lock id, sorted by name: the data model of the thesis (section 2). Every operation is at quorum,
 * so each read that begins after a write was acknowledged sees that write.
 *
 * <p>Of two operations on one cell, the one with the higher timestamp wins, in whatever order they arrive. If the timestamps are
 * equal, a deletion wins. The caller supplies the timestamps. All operations are idempotent. Thread-safe; no method blocks.
 */
public interface CellStore {

    /** Writes a cell that expires after {@code ttlSeconds}, by the servers' clocks. */
    CompletionStage<WriteOutcome> write(String lockId, String cell, long timestamp, int ttlSeconds);

    /** Deletes a cell, which need not exist. */
    CompletionStage<WriteOutcome> delete(String lockId, String cell, long timestamp);

    /**
     * Reads the names of at most {@code limit} cells of the row, in order, from the given name on. The empty string stands for
     * the first cell. Completes exceptionally if the row could not be read.
     */
    CompletionStage<List<String>> read(String lockId, String fromCell, int limit);
}

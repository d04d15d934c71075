package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.concurrent.CompletionStage;

/**
 * One cell of one thread in one row. Only that thread writes it, so its timestamps need no synchronised clocks. They count up
 * from the time of the thread's arrival.
 */
public record Cell(CellStore row, String lockId, String name) {

    CompletionStage<WriteOutcome> write(long timestamp, int ttlSeconds) {
        return row.write(lockId, name, timestamp, ttlSeconds);
    }

    CompletionStage<WriteOutcome> delete(long timestamp) {
        return row.delete(lockId, name, timestamp);
    }
}

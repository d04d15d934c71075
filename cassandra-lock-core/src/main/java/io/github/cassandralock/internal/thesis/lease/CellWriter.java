package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.UnacknowledgedWriteException;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes and deletes the cells of one acquisition. Every operation has a higher timestamp than all operations before it, so an
 * earlier one that arrives late changes nothing. Thread-safe.
 */
public final class CellWriter {

    private final CellContext context;
    private final AtomicLong timestamps;

    /** @param arrivalMicros the timestamps begin here; near the present time, so that compaction can purge deletions */
    public CellWriter(CellContext context, long arrivalMicros) {
        this.context = context;
        this.timestamps = new AtomicLong(arrivalMicros);
    }

    CellContext context() {
        return context;
    }

    /**
     * Writes the cell once.
     *
     * @return completes with the monotonic time at which the write was sent; exceptionally with {@link
     *     UnacknowledgedWriteException} if no quorum acknowledged it
     */
    public CompletionStage<Long> write(Cell cell) {
        return write(cell, context.settings().ttlSeconds());
    }

    /** Writes a cell once that expires after this time to live. */
    CompletionStage<Long> write(Cell cell, int ttlSeconds) {
        long sentAt = context.ticker().nanos();
        return Operation.begin(() -> cell.write(timestamps.incrementAndGet(), ttlSeconds))
                .thenApply(outcome -> {
                    WriteOutcome.requireApplied(outcome);
                    return sentAt;
                });
    }

    /**
     * Deletes the cell. If no quorum acknowledges that, it is repeated in the background for up to two leases. By then the cell
     * has expired.
     *
     * @return completes, never exceptionally, after the first try
     */
    public CompletionStage<Void> delete(Cell cell) {
        long giveUpAt = context.ticker().nanos()
                + context.settings().lease().multipliedBy(2).toNanos();
        return delete(cell, timestamps.incrementAndGet(), giveUpAt);
    }

    private CompletionStage<Void> delete(Cell cell, long timestamp, long giveUpAt) {
        CompletableFuture<Void> firstTry = new CompletableFuture<>();
        Operation.begin(() -> cell.delete(timestamp)).whenComplete((outcome, failure) -> {
            if (!(outcome instanceof WriteOutcome.Applied)) {
                repeatDelete(cell, timestamp, giveUpAt);
            }
            firstTry.complete(null);
        });
        return firstTry;
    }

    private void repeatDelete(Cell cell, long timestamp, long giveUpAt) {
        if (context.ticker().nanos() - giveUpAt >= 0) {
            context.warnings()
                    .notDeleted()
                    .warn("A cell of lock '" + cell.lockId()
                            + "' could not be deleted for two leases; it frees itself when it expires");
            return;
        }
        context.timers().after(context.settings().retry()).thenRun(() -> delete(cell, timestamp, giveUpAt));
    }
}

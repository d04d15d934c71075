package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.UnacknowledgedWriteException;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes and deletes the cells of one acquisition. Every operation has a higher timestamp than all operations before it, so an
 * earlier one that arrives late changes nothing. Thread-safe.
 */
public final class CellWriter {

    private final LeaseSettings settings;
    private final Ticker ticker;
    private final Timers timers;
    private final AtomicLong timestamps;
    private final LeaseWarnings warnings;
    private final ProtocolCounters counters;

    /**
     * @param arrivalMicros the timestamps begin here; near the present time, so that compaction can purge deletions
     * @param counters count renewals
     */
    public CellWriter(
            LeaseSettings settings,
            Ticker ticker,
            Timers timers,
            long arrivalMicros,
            LeaseWarnings warnings,
            ProtocolCounters counters) {
        this.settings = settings;
        this.ticker = ticker;
        this.timers = timers;
        this.timestamps = new AtomicLong(arrivalMicros);
        this.warnings = warnings;
        this.counters = counters;
    }

    LeaseWarnings warnings() {
        return warnings;
    }

    ProtocolCounters counters() {
        return counters;
    }

    LeaseSettings settings() {
        return settings;
    }

    Ticker ticker() {
        return ticker;
    }

    Timers timers() {
        return timers;
    }

    /**
     * Writes the cell once.
     *
     * @return completes with the monotonic time at which the write was sent; exceptionally with {@link
     *     UnacknowledgedWriteException} if no quorum acknowledged it
     */
    public CompletionStage<Long> write(Cell cell) {
        return write(cell, settings.ttlSeconds());
    }

    /** The same, for a cell that expires after this time to live. */
    CompletionStage<Long> write(Cell cell, int ttlSeconds) {
        long sentAt = ticker.nanos();
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
        long giveUpAt =
                ticker.nanos() + settings.lease().toNanos() + settings.lease().toNanos();
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
        if (ticker.nanos() - giveUpAt >= 0) {
            warnings.notDeleted()
                    .warn("A cell of lock '" + cell.lockId()
                            + "' could not be deleted for two leases; it frees itself when it expires");
            return;
        }
        timers.after(settings.retry()).thenRun(() -> delete(cell, timestamp, giveUpAt));
    }
}

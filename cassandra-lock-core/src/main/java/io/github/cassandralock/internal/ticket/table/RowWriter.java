package io.github.cassandralock.internal.ticket.table;

import io.github.cassandralock.internal.ticket.process.TicketWarnings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a row of this process, and repeats the write until the write is acknowledged or no longer needed. Runs in the lock's
 * mailbox.
 *
 * @param needed whether the slot still has the use for which the row is written
 * @param tried runs after each try
 */
public record RowWriter(LockPartition partition, OwnRow row, BooleanSupplier needed, Runnable tried) {

    private static final Logger log = LoggerFactory.getLogger(RowWriter.class);

    /**
     * Writes the row again when that is due, so that it does not expire (protocol, section 1). Writes the row as well if its
     * attempt's mode was lowered (lock modes, section 4).
     */
    public void writeIfDue() {
        if ((row.isDueForRefresh() || row.hasUnwrittenMode()) && needed.getAsBoolean()) {
            refresh();
        }
    }

    private void refresh() {
        OwnRow.Write written = row.refreshWrite();
        inTurn(() -> partition.write(written))
                .whenCompleteAsync(
                        (drawnAt, failure) -> {
                            if (failure == null) {
                                row.acknowledged(drawnAt);
                                row.modeAcknowledged(written.slot());
                            } else {
                                refreshLater(failure);
                            }
                            tried.run();
                        },
                        partition.mailbox());
    }

    private void refreshLater(Throwable failure) {
        warnings()
                .notRefreshed()
                .warn("A refresh of the slot of lock '" + partition.lockId()
                        + "' was not acknowledged and is repeated. If none is acknowledged before the slot may expire, the lock"
                        + " is lost. Cause: " + failure.getMessage());
        partition.retryDelay().thenRunAsync(this::writeIfDue, partition.mailbox());
    }

    /**
     * Writes IDLE until the write is acknowledged, always with one timestamp (protocol, section 3). The end of the session ends
     * the repetition.
     *
     * @param end runs when nothing is left to write, if the write is still needed then
     */
    public void release(Runnable end) {
        release(row.releaseWrite(), end);
    }

    private void release(OwnRow.Write idle, Runnable end) {
        inTurn(() -> row.session().isValid() ? partition.write(idle) : sessionEnded())
                .whenCompleteAsync(
                        (drawnAt, failure) -> {
                            tried.run();
                            if (failure == null || !row.session().isValid()) {
                                logEnd(failure == null);
                                runIfNeeded(end);
                            } else {
                                releaseLater(idle, end, failure);
                            }
                        },
                        partition.mailbox());
    }

    /** Sends a write that may wait until fewer such writes of this process are under way. */
    private CompletionStage<Long> inTurn(Supplier<CompletionStage<Long>> write) {
        return partition.context().rowWrites().begin(write);
    }

    /** The session may end while the write waits. */
    private static CompletionStage<Long> sessionEnded() {
        return CompletableFuture.failedFuture(new IllegalStateException("the session of the row has ended"));
    }

    private void logEnd(boolean acknowledged) {
        log.debug(
                "Lock '{}': attempt {} of session {} is {}",
                partition.lockId(),
                row.slot().attempt(),
                row.slot().session(),
                acknowledged ? "released" : "left to other sessions to evict");
    }

    /**
     * Nothing is repeated without timers, which end with the application. Other processes then evict the slot after the lease.
     */
    private void releaseLater(OwnRow.Write idle, Runnable end, Throwable failure) {
        warnings()
                .notReleased()
                .warn("The release of lock '" + partition.lockId() + "' was not acknowledged and is repeated. Cause: "
                        + failure.getMessage());
        partition
                .retryDelay()
                .whenCompleteAsync(
                        (done, noTimers) -> runIfNeeded(noTimers == null ? () -> release(idle, end) : end),
                        partition.mailbox());
    }

    private void runIfNeeded(Runnable action) {
        if (needed.getAsBoolean()) {
            action.run();
        }
    }

    private TicketWarnings warnings() {
        return partition.context().warnings();
    }
}

package io.github.cassandralock.internal.ticket.table;

import java.util.function.Predicate;

/**
 * Writes a slot again when that is due, so that it does not expire (protocol, section 1), or because its attempt has a weaker mode
 * now (lock modes, section 4). If the write is not acknowledged, it
 * is repeated while the slot is in use. Runs in the lock's mailbox.
 *
 * @param current whether this process still waits with the slot, or holds the lock with it
 * @param tried runs after each try
 */
public record SlotRefresh(LockPartition partition, OwnRow slot, Predicate<OwnRow> current, Runnable tried) {

    public void ifDue() {
        if ((slot.isDueForRefresh() || slot.hasUnwrittenMode()) && current.test(slot)) {
            send();
        }
    }

    private void send() {
        OwnRow.Write written = slot.refreshed();
        partition
                .write(written)
                .whenCompleteAsync(
                        (drawnAt, failure) -> {
                            if (failure == null) {
                                slot.acknowledged(drawnAt);
                                slot.modeAcknowledged(written.row());
                            } else {
                                repeatLater(failure);
                            }
                            tried.run();
                        },
                        partition.mailbox());
    }

    private void repeatLater(Throwable failure) {
        partition
                .context()
                .warnings()
                .notRefreshed()
                .warn("A refresh of the slot of lock '" + partition.lockId()
                        + "' was not acknowledged and is repeated. If none is acknowledged before the slot may expire, the lock"
                        + " is lost. Cause: " + failure.getMessage());
        partition.retryDelay().thenRunAsync(this::ifDue, partition.mailbox());
    }
}

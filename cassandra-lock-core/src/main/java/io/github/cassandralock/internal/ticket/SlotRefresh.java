package io.github.cassandralock.internal.ticket;

import java.util.function.Predicate;

/**
 * Writes a slot again when that is due, so that it does not expire (protocol, section 1); again if that is not acknowledged,
 * as long as the attempt is current. Runs in the lock's mailbox.
 *
 * @param current whether the slot is still what this process waits with or holds
 * @param tried runs after each try
 */
record SlotRefresh(LockPartition partition, OwnSlot slot, Predicate<OwnSlot> current, Runnable tried) {

    void ifDue() {
        if (slot.isDueForRefresh() && current.test(slot)) {
            send();
        }
    }

    private void send() {
        partition
                .write(slot.refreshed())
                .whenCompleteAsync(
                        (drawnAt, failure) -> {
                            if (failure == null) {
                                slot.acknowledged(drawnAt);
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
                .warn("The slot of lock '" + partition.lockId()
                        + "' could not be written again before it expires. The write is repeated. Cause: "
                        + failure.getMessage());
        partition.retryDelay().thenRunAsync(this::ifDue, partition.mailbox());
    }
}

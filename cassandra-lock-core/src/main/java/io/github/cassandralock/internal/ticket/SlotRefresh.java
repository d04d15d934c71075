package io.github.cassandralock.internal.ticket;

import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * Rewrites a slot that is due, so that it lives on (protocol, section 1); again if that is not acknowledged, as long as the
 * attempt is current. Runs in the lock's mailbox.
 *
 * @param current whether the slot is still what this process waits or holds with
 * @param outcome told after each try
 */
record SlotRefresh(
        TicketParts parts,
        String lockId,
        OwnSlot slot,
        Executor mailbox,
        Predicate<OwnSlot> current,
        Runnable outcome) {

    void ifDue() {
        if (slot.isDueForRefresh() && current.test(slot)) {
            send();
        }
    }

    private void send() {
        slot.refreshed()
                .send()
                .whenCompleteAsync(
                        (drawnAt, failure) -> {
                            if (failure == null) {
                                slot.acknowledged(drawnAt);
                            } else {
                                parts.warnings()
                                        .notRefreshed()
                                        .warn("The slot of lock '" + lockId
                                                + "' could not be written again before it expires; it is repeated: "
                                                + failure.getMessage());
                                parts.timers()
                                        .after(parts.sessionTerms().retry())
                                        .thenRunAsync(this::ifDue, mailbox);
                            }
                            outcome.run();
                        },
                        mailbox);
    }
}

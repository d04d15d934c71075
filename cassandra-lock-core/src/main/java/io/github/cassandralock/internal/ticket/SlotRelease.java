package io.github.cassandralock.internal.ticket;

import java.util.concurrent.Executor;

/**
 * Gives a slot up (protocol, section 3): writes IDLE, again and again under the same timestamp, until it is acknowledged,
 * the session ends, or a W1 takes its place. Runs in the lock's mailbox.
 */
final class SlotRelease {

    private final TicketParts parts;
    private final String lockId;
    private final OwnSlot slot;
    private final SlotWrite idle;
    private final Executor mailbox;
    private final Runnable firstTryEnded;
    private final Runnable end;
    private boolean replaced;

    /**
     * @param firstTryEnded told once: whoever waits for the release need not wait for its repetitions
     * @param end told when nothing is left to be done; not if it is replaced
     */
    SlotRelease(
            TicketParts parts, String lockId, OwnSlot slot, Executor mailbox, Runnable firstTryEnded, Runnable end) {
        this.parts = parts;
        this.lockId = lockId;
        this.slot = slot;
        this.idle = slot.idle();
        this.mailbox = mailbox;
        this.firstTryEnded = firstTryEnded;
        this.end = end;
    }

    OwnSlot slot() {
        return slot;
    }

    void start() {
        send(firstTryEnded);
    }

    /** A W1 of the same session takes its place. */
    void replaced() {
        replaced = true;
    }

    private void send(Runnable ended) {
        idle.send()
                .whenCompleteAsync(
                        (drawnAt, failure) -> {
                            ended.run();
                            if (failure == null || !slot.session().isValid()) {
                                finish();
                            } else {
                                repeatLater(failure);
                            }
                        },
                        mailbox);
    }

    /** Without timers, which end with the application, the slot frees itself with the lease. */
    private void repeatLater(Throwable failure) {
        parts.warnings()
                .notReleased()
                .warn("The release of lock '" + lockId + "' was not acknowledged and is repeated: "
                        + failure.getMessage());
        parts.timers()
                .after(parts.sessionTerms().retry())
                .whenCompleteAsync(
                        (done, noTimers) -> {
                            if (noTimers == null) {
                                repeat();
                            } else {
                                finish();
                            }
                        },
                        mailbox);
    }

    private void repeat() {
        if (!replaced) {
            send(() -> {});
        }
    }

    private void finish() {
        if (!replaced) {
            end.run();
        }
    }
}

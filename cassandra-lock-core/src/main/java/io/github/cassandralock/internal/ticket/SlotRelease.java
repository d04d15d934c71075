package io.github.cassandralock.internal.ticket;

/**
 * Gives a slot up (protocol, section 3): writes IDLE, again and again under the same timestamp, until it is acknowledged,
 * the session ends, or a W1 replaces it. Runs in the lock's mailbox.
 */
final class SlotRelease {

    private final LockPartition partition;
    private final OwnSlot slot;
    private final SlotWrite idle;
    private final Runnable firstTryEnded;
    private final Runnable end;
    private boolean replaced;

    /**
     * @param firstTryEnded runs once: the releasing thread does not wait for repetitions
     * @param end runs when nothing is left to be done; never if the release is replaced
     */
    SlotRelease(LockPartition partition, OwnSlot slot, Runnable firstTryEnded, Runnable end) {
        this.partition = partition;
        this.slot = slot;
        this.idle = slot.idle();
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
        partition
                .write(idle)
                .whenCompleteAsync(
                        (drawnAt, failure) -> {
                            ended.run();
                            if (failure == null || !slot.session().isValid()) {
                                finish();
                            } else {
                                repeatLater(failure);
                            }
                        },
                        partition.mailbox());
    }

    /** Without timers, which end with the application, the slot frees itself with the lease. */
    private void repeatLater(Throwable failure) {
        partition
                .context()
                .warnings()
                .notReleased()
                .warn("The release of lock '" + partition.lockId() + "' was not acknowledged and is repeated. Cause: "
                        + failure.getMessage());
        partition
                .retryDelay()
                .whenCompleteAsync(
                        (done, noTimers) -> {
                            if (noTimers == null) {
                                repeat();
                            } else {
                                finish();
                            }
                        },
                        partition.mailbox());
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

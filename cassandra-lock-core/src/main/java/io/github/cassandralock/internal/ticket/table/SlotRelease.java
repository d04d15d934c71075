package io.github.cassandralock.internal.ticket.table;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a slot up (protocol, section 3). It writes IDLE, and repeats the write with the same timestamp until the write is
 * acknowledged, the session ends, or a W1 replaces it. Runs in the lock's mailbox.
 */
public final class SlotRelease {

    private static final Logger log = LoggerFactory.getLogger(SlotRelease.class);

    private final LockPartition partition;
    private final OwnRow slot;
    private final OwnRow.Write idle;
    private final Runnable firstTryEnded;
    private final Runnable end;
    private boolean replaced;

    /**
     * @param firstTryEnded runs once, after the first try: the releasing thread does not wait for repetitions
     * @param end runs when the release has ended; never if the release is replaced
     */
    public SlotRelease(LockPartition partition, OwnRow slot, Runnable firstTryEnded, Runnable end) {
        this.partition = partition;
        this.slot = slot;
        this.idle = slot.idle();
        this.firstTryEnded = firstTryEnded;
        this.end = end;
    }

    public OwnRow slot() {
        return slot;
    }

    public void start() {
        send(firstTryEnded);
    }

    /** Stops the repetitions, because a W1 of the same session replaces this write, or the session is lost. */
    public void replaced() {
        replaced = true;
    }

    private void send(Runnable ended) {
        partition
                .write(idle)
                .whenCompleteAsync(
                        (drawnAt, failure) -> {
                            ended.run();
                            if (failure == null || !slot.session().isValid()) {
                                logEnd(failure == null);
                                finish();
                            } else {
                                repeatLater(failure);
                            }
                        },
                        partition.mailbox());
    }

    private void logEnd(boolean acknowledged) {
        log.debug(
                "Lock '{}': attempt {} of session {} is {}",
                partition.lockId(),
                slot.row().attempt(),
                slot.row().session(),
                acknowledged ? "released" : "left to other sessions to evict");
    }

    /**
     * Repeats the write after a pause. If the timers have ended, as at the end of the application, nothing is repeated: the slot
     * is evicted after the lease.
     */
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

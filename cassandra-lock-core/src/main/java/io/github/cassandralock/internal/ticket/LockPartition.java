package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.UnacknowledgedWriteException;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.text.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lock's partition of the slots table: all reads and writes of it that this process makes for one {@link LocalQueue},
 * and the mailbox in which that lock's tasks exclude each other. Every operation completes with what the store answers.
 * Thread-safe.
 */
final class LockPartition {

    private static final Logger log = LoggerFactory.getLogger(LockPartition.class);

    private final TicketContext context;
    private final String lockId;
    private final Mailbox mailbox = new Mailbox();

    LockPartition(TicketContext context, String lockId) {
        this.context = context;
        this.lockId = lockId;
    }

    /** R: the lock's slots, and the last token that was reserved. */
    CompletionStage<LockSlots> read() {
        return Operation.begin(() -> context.store().read(lockId));
    }

    /**
     * Sends a write of this process's slot once.
     *
     * @return completes with the instant from which the row's life counts: when the write's timestamp was drawn, however
     *     late it was sent again, since a write with a later timestamp may hide it and expires earlier; exceptionally with
     *     {@link UnacknowledgedWriteException} if no quorum acknowledged it
     */
    CompletionStage<Long> write(SlotWrite write) {
        return Operation.begin(() -> context.store().write(lockId, write.row(), write.timestamp(), write.life()))
                .thenApply(outcome -> {
                    WriteOutcome.requireApplied(outcome);
                    return write.drawnAt();
                });
    }

    /** Raises the last token to at least this one; completes exceptionally if no quorum acknowledged it. */
    CompletionStage<Void> reserve(long lastToken) {
        return Operation.begin(() -> context.store().reserve(lockId, lastToken))
                .thenAccept(WriteOutcome::requireApplied);
    }

    /**
     * Removes the slot of a session that is known to be dead (protocol, section 4), if it is still there.
     *
     * @return completes with the lock's other slots, as they were read; exceptionally if they could not be read or no quorum
     *     acknowledged the deletion
     */
    CompletionStage<List<Slot>> evict(DeadSession dead) {
        return read().thenCompose(read -> {
            Map<Boolean, List<Slot>> slots = read.slots().stream()
                    .collect(Collectors.partitioningBy(slot -> slot.session().equals(dead.id())));
            List<Slot> left = slots.getOrDefault(true, List.of());
            List<Slot> others = slots.getOrDefault(false, List.of());
            return left.isEmpty() ? CompletableFuture.completedFuture(others) : evict(left.get(0), dead, others);
        });
    }

    private CompletionStage<List<Slot>> evict(Slot left, DeadSession dead, List<Slot> others) {
        return context.store()
                .evict(lockId, dead.id())
                .thenAccept(WriteOutcome::requireApplied)
                .thenApply(done -> {
                    logEviction(left, dead);
                    return others;
                });
    }

    private void logEviction(Slot left, DeadSession dead) {
        if (left.phase() != SlotPhase.IDLE) {
            log.info(
                    "Lock '{}' no longer waits for {} (session {}), which held it or was queued for it and was declared dead"
                            + " {} after its last renewal that was seen here",
                    lockId,
                    dead.owner(),
                    dead.id(),
                    DurationText.of(dead.silent()));
        }
    }

    /**
     * New steps in the lock's mailbox.
     *
     * @param patience for how long the store may fail in a row
     * @param failed receives the last failure after that time
     */
    Steps steps(Duration patience, Consumer<Throwable> failed) {
        return new Steps(
                mailbox,
                context.ticker(),
                context.timers(),
                context.sessionSettings().retry(),
                patience,
                failed);
    }

    /** Completes, in no particular thread, when a write that was not acknowledged is due to be sent again. */
    CompletableFuture<Void> retryDelay() {
        return context.timers().after(context.sessionSettings().retry());
    }

    String lockId() {
        return lockId;
    }

    TicketContext context() {
        return context;
    }

    /** Runs the lock's tasks one after the other. */
    Executor mailbox() {
        return mailbox;
    }
}

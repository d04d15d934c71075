package io.github.cassandralock.internal.ticket.table;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.StoredValue;
import io.github.cassandralock.internal.store.UnacknowledgedWriteException;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.rows.LockFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lock's partition of the slots table, with all reads and writes of it by this process. It has the mailbox in which the
 * lock's tasks exclude each other, and the facts about the lock. Every operation completes with what the store answers.
 * Thread-safe, but for the facts.
 */
public final class LockPartition {

    private static final Logger log = LoggerFactory.getLogger(LockPartition.class);

    private final TicketContext context;
    private final String lockId;
    private final Executor mailbox;

    /** Null until a fact is recorded, because there is a partition for every held lock. */
    private @Nullable LockFacts facts;

    /** @param mailbox runs the lock's tasks one after the other. An actor runs each task as an event */
    public LockPartition(TicketContext context, String lockId, Executor mailbox) {
        this.context = context;
        this.lockId = lockId;
        this.mailbox = mailbox;
    }

    /** Reads the lock's slots, and the last token that was reserved. */
    public CompletionStage<LockSlots> read() {
        return Operation.begin(() -> context.store().read(lockId));
    }

    /**
     * Sends a write of this process's slot once.
     *
     * @return completes with the instant from which the life of the row counts; exceptionally with {@link
     *     UnacknowledgedWriteException} if no quorum acknowledged it. That instant is the one at which the write's timestamp was
     *     drawn, even if the write is sent again later. A write with a higher timestamp may hide this write, and its row may
     *     expire earlier
     */
    public CompletionStage<Long> write(OwnRow.Write write) {
        return Operation.begin(() -> context.store().write(lockId, write.slot(), write.timestamp(), write.life()))
                .thenApply(outcome -> {
                    WriteOutcome.requireApplied(outcome);
                    return write.drawnAt();
                });
    }

    /** Raises the last token to at least this token. Completes exceptionally if no quorum acknowledged the write. */
    public CompletionStage<Void> reserve(long lastToken) {
        return Operation.begin(() -> context.store().reserve(lockId, lastToken))
                .thenAccept(WriteOutcome::requireApplied);
    }

    /** Reads the lock's value. Completes exceptionally if no quorum answered. */
    public CompletionStage<StoredValue> readValue() {
        return Operation.begin(() -> context.store().readValue(lockId));
    }

    /** Opens a change of the lock's value. Completes exceptionally if no quorum acknowledged the write. */
    public CompletionStage<Void> openValue(long token) {
        return Operation.begin(() -> context.store().openValue(lockId, token)).thenAccept(WriteOutcome::requireApplied);
    }

    /** Stores the lock's value. Completes exceptionally if no quorum acknowledged the write. */
    public CompletionStage<Void> closeValue(long token, byte[] bytes) {
        return Operation.begin(() -> context.store().closeValue(lockId, token, bytes))
                .thenAccept(WriteOutcome::requireApplied);
    }

    /**
     * What an eviction has found.
     *
     * @param wasNeeded whether a slot of the dead session was in the way. If several processes evict it, hardly more than one
     *     finds it
     * @param others the lock's other slots, as they were read
     */
    public record Eviction(boolean wasNeeded, List<Slot> others) {}

    /**
     * Deletes the slots of a dead session (protocol, section 4), if there are any.
     *
     * @return completes exceptionally if the read failed or no quorum acknowledged the deletion
     */
    public CompletionStage<Eviction> evict(DeadSession dead) {
        return read().thenCompose(read -> {
            Map<Boolean, List<Slot>> slots = read.slots().stream()
                    .collect(Collectors.partitioningBy(slot -> slot.session().equals(dead.id())));
            List<Slot> left = slots.getOrDefault(true, List.of());
            List<Slot> others = slots.getOrDefault(false, List.of());
            return left.isEmpty()
                    ? CompletableFuture.completedFuture(new Eviction(false, others))
                    : evict(left, dead, others);
        });
    }

    private CompletionStage<Eviction> evict(List<Slot> left, DeadSession dead, List<Slot> others) {
        boolean needed = left.stream().anyMatch(slot -> slot.phase() != SlotPhase.IDLE);
        return context.store()
                .evict(lockId, dead.id())
                .thenAccept(WriteOutcome::requireApplied)
                .thenApply(done -> {
                    evicted(needed, dead);
                    return new Eviction(needed, others);
                });
    }

    private void evicted(boolean needed, DeadSession dead) {
        if (needed) {
            context.counters().add(Counted.SLOT_EVICTED);
            log.info(
                    "Lock '{}': {} (session {}) was evicted from it. The process held the lock or was queued for it."
                            + " The process was declared dead {} after its last renewal that was seen here",
                    lockId,
                    dead.owner(),
                    dead.id(),
                    DurationText.of(dead.silent()));
        }
    }

    /**
     * Begins steps that run in the lock's mailbox. The returned future completes with their result. It fails after a lease
     * without an answer, and after a failure that repetition cannot change.
     */
    public <T> CompletableFuture<T> stepsTo(BiConsumer<Steps, CompletableFuture<T>> work) {
        CompletableFuture<T> end = new CompletableFuture<>();
        Steps steps = new Steps(
                mailbox,
                context.ticker(),
                context.timers(),
                context.sessionSettings().retry(),
                context.sessionSettings().lease(),
                end::completeExceptionally);
        work.accept(steps, end);
        return end;
    }

    /** Completes, on any thread, when a write that was not acknowledged is to be sent again. */
    CompletableFuture<Void> retryDelay() {
        return context.timers().after(context.sessionSettings().retry());
    }

    /**
     * The facts about the attempts of others, and about this process's own slots. They never become false. Used in the mailbox
     * alone.
     */
    public LockFacts facts() {
        LockFacts present = facts;
        if (present == null) {
            present = new LockFacts(context.exchangesNotices());
            facts = present;
        }
        return present;
    }

    /**
     * Adds what a read shows to the facts. Used in the mailbox alone.
     *
     * @param own the reader's slot; empty if it has none yet
     */
    public void noteRead(LockSlots read, Optional<SlotId> own) {
        if (facts != null || context.exchangesNotices() || LockFacts.areShownBy(read, own)) {
            facts().addRead(read, own);
        }
    }

    public String lockId() {
        return lockId;
    }

    public TicketContext context() {
        return context;
    }

    /** Runs the lock's tasks one after the other. */
    public Executor mailbox() {
        return mailbox;
    }
}

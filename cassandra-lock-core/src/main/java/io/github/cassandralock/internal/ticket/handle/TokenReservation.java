package io.github.cassandralock.internal.ticket.handle;

import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fencing tokens of one hold (protocol, section 2, step 6, and section 5). All tokens are reserved before the first token is
 * shown. Therefore every later holder reads the reservation, even if this process crashes. The last token is read again after the
 * lock was acquired. The attempt's own reads may be older than an earlier holder's reservation. Thread-safe.
 */
public final class TokenReservation {

    private final LockPartition partition;

    /** Only tasks of the lock's mailbox use it. */
    private @Nullable CompletableFuture<Long> reserved;

    public TokenReservation(LockPartition partition) {
        this.partition = partition;
    }

    public TicketContext context() {
        return partition.context();
    }

    /**
     * Reserves tokens at the first call, and again after a failed reservation. The caller must check the lease afterwards.
     *
     * @return completes with the base when a quorum has acknowledged the reservation. The k-th grant of the hold may show base +
     *     k
     */
    CompletionStage<Long> base() {
        return CompletableFuture.supplyAsync(this::reservedOnce, partition.mailbox())
                .thenCompose(Function.identity());
    }

    private CompletableFuture<Long> reservedOnce() {
        CompletableFuture<Long> present = reserved;
        if (present == null || present.isCompletedExceptionally()) {
            present = reserve();
            reserved = present;
        }
        return present;
    }

    private CompletableFuture<Long> reserve() {
        return partition.stepsTo((steps, acknowledged) ->
                steps.step(partition::read, read -> reserveAbove(base(read), steps, acknowledged)));
    }

    private long base(LockSlots read) {
        return read.lastToken()
                .orElseGet(() ->
                        LockSlots.tokenFloor(partition.context().wallClock().readMicros()));
    }

    private void reserveAbove(long base, Steps steps, CompletableFuture<Long> acknowledged) {
        steps.step(() -> partition.reserve(base + TicketSettings.TOKENS), done -> acknowledged.complete(base));
    }
}

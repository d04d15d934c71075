package io.github.cassandralock.internal.ticket;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fencing tokens of one {@link SlotHold}, reserved before the first of them is shown (protocol, section 2, step 6, and
 * section 5): every later holder reads the reservation, even if this process crashes. Thread-safe.
 */
final class TokenReservation {

    private final LockPartition partition;

    /** Changed in the lock's mailbox alone. */
    private @Nullable CompletableFuture<Long> reserved;

    TokenReservation(LockPartition partition) {
        this.partition = partition;
    }

    /**
     * Reserves at the first call, and again if that failed. The lease is not checked here.
     *
     * @return completes with the base once a quorum knows it: the k-th grant of the hold may show base + k
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
        CompletableFuture<Long> acknowledged = new CompletableFuture<>();
        long base = partition.drawTokens();
        partition
                .steps(partition.context().sessionSettings().lease(), acknowledged::completeExceptionally)
                .step(() -> partition.reserveTokens(base), done -> acknowledged.complete(base));
        return acknowledged;
    }
}

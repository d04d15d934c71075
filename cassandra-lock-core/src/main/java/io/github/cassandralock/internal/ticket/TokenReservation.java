package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Reserves the fencing tokens of a tenure before the first of them is shown (protocol, section 2, step 6, and section 5).
 * Whoever comes later reads the reservation, whatever becomes of this process.
 */
final class TokenReservation {

    /** The floor's epoch, 2020-01-01T00:00Z, in seconds since 1970. */
    private static final long FLOOR_EPOCH = 1_577_836_800L;

    /** Tokens per second that the floor leaves room for: 2^20. */
    private static final int FLOOR_SHIFT = 20;

    private TokenReservation() {}

    /**
     * Completes with the base: the tenure's grants may show base+1, base+2 and so on. The lease is not looked at again
     * here.
     *
     * @param carry holds the highest last token over all reads so far; raised by the reservation
     */
    static CompletableFuture<Long> begin(TicketParts parts, String lockId, Carry carry, Executor mailbox) {
        CompletableFuture<Long> reserved = new CompletableFuture<>();
        long base = carry.value().orElseGet(() -> floor(parts.calendar().micros()));
        carry.raise(base + TicketTerms.TOKENS);
        Steps steps = new Steps(
                mailbox,
                parts.ticker(),
                parts.timers(),
                parts.sessionTerms().retry(),
                parts.sessionTerms().lease(),
                reserved::completeExceptionally);
        steps.step(
                () -> parts.store().reserve(lockId, base + TicketTerms.TOKENS).thenAccept(WriteOutcome::requireApplied),
                done -> reserved.complete(base));
        return reserved;
    }

    private static long floor(long calendarMicros) {
        return Math.max(0, calendarMicros / 1_000_000 - FLOOR_EPOCH) << FLOOR_SHIFT;
    }
}

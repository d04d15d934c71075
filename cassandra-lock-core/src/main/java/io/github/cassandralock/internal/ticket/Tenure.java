package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time for which this process holds a slot, from the winning read to the write that gives it up: one grant, or several
 * one after the other (protocol, section 6). Changed by the lock's mailbox alone.
 */
final class Tenure {

    private final OwnSlot slot;
    private final TicketTerms terms;
    private final Ticker ticker;
    private final long beganAt;
    private int grants;
    private @Nullable TicketGrant current;
    private @Nullable CompletableFuture<Long> tokens;

    Tenure(OwnSlot slot, TicketTerms terms, Ticker ticker) {
        this.slot = slot;
        this.terms = terms;
        this.ticker = ticker;
        this.beganAt = ticker.nanos();
    }

    OwnSlot slot() {
        return slot;
    }

    /** Whether the lease and the slot can be vouched for at this instant. May be asked by any thread. */
    boolean isValid() {
        return slot.isValid();
    }

    /** Whether another thread of this process may have it next, without others being kept waiting too long. */
    boolean mayBeHandedOver() {
        return grants < TicketTerms.TOKENS && age().compareTo(terms.maxTenure()) < 0;
    }

    /** May be asked by any thread. */
    Duration age() {
        return Duration.ofNanos(ticker.nanos() - beganAt);
    }

    TicketGrant grantTo(LocalQueue queue) {
        grants++;
        TicketGrant grant = new TicketGrant(queue, this, grants);
        current = grant;
        return grant;
    }

    boolean isCurrent(TicketGrant grant) {
        return current == grant;
    }

    void lose(String reason) {
        if (current != null) {
            current.abandon(reason);
        }
    }

    /** The reservation of this tenure's tokens: one, begun when somebody first asks; another one if that failed. */
    CompletableFuture<Long> tokens(Supplier<CompletableFuture<Long>> begin) {
        CompletableFuture<Long> reservation =
                tokens == null || tokens.isCompletedExceptionally() ? begin.get() : tokens;
        tokens = reservation;
        return reservation;
    }
}

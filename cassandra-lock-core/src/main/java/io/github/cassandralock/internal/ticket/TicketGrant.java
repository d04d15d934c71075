package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.spi.Grant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/** What one thread holds while it is its turn in a tenure. Thread-safe. */
final class TicketGrant implements Grant {

    private enum State {
        HELD,
        LOST,
        RELEASED
    }

    private final LocalQueue queue;
    private final Tenure tenure;
    private final int number;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /** @param number this grant's in its tenure, from 1 on */
    TicketGrant(LocalQueue queue, Tenure tenure, int number) {
        this.queue = queue;
        this.tenure = tenure;
        this.number = number;
    }

    @Override
    public boolean isValid() {
        return state.get() == State.HELD && tenure.isValid();
    }

    @Override
    public CompletionStage<String> lost() {
        return lost;
    }

    @Override
    public CompletionStage<Long> fencingToken() {
        CompletableFuture<Long> token = new CompletableFuture<>();
        queue.reserveTokens(tenure).whenComplete((base, failure) -> {
            if (failure != null) {
                token.completeExceptionally(failure);
            } else if (isValid()) {
                token.complete(base + number);
            } else {
                token.completeExceptionally(new IllegalStateException(
                        "the lock was lost or released before its fencing token was reserved"));
            }
        });
        return token;
    }

    @Override
    public void abandon(String reason) {
        if (state.compareAndSet(State.HELD, State.LOST)) {
            lost.complete(reason);
            queue.warnings().lost().warn("Lock '" + queue.lockId() + "' is lost: " + reason);
        }
    }

    @Override
    public CompletionStage<Void> release() {
        if (!tenure.isValid()) {
            abandon("its lease had run out when it was released");
        }
        if (state.getAndSet(State.RELEASED) != State.RELEASED) {
            queue.released(this);
        }
        return released;
    }

    /** The release has been acknowledged, or needs nobody's attention any more. */
    void releaseEnded() {
        released.complete(null);
    }

    Tenure tenure() {
        return tenure;
    }
}

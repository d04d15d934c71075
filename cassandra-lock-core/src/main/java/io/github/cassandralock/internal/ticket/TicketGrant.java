package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/** The grant of one thread during a {@link SlotHold}. Thread-safe. */
final class TicketGrant implements Grant {

    private enum State {
        HELD,
        LOST,
        RELEASED
    }

    /** The queue of the lock, as far as a grant needs it. */
    interface Owner {

        /** The holder of the grant has released it. */
        void released(TicketGrant grant);

        /** The process ends, and the lock is to stay taken for at least this long. */
        void left(TicketGrant grant, Duration atLeast);

        /** Completes the future when somebody else waits while this grant is held. */
        void watchContention(TicketGrant grant, CompletableFuture<Void> contended);
    }

    private final LockPartition partition;
    private final OwnSlot slot;
    private final TokenReservation tokens;
    private final int number;
    private final Owner owner;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /**
     * @param number the number of this grant in its hold, from 1 on
     * @param owner is asked for everything that its lock's queue knows
     */
    TicketGrant(LockPartition partition, OwnSlot slot, TokenReservation tokens, int number, Owner owner) {
        this.partition = partition;
        this.slot = slot;
        this.tokens = tokens;
        this.number = number;
        this.owner = owner;
    }

    @Override
    public boolean isValid() {
        return state.get() == State.HELD && slot.isValid();
    }

    @Override
    public CompletionStage<String> lost() {
        return lost;
    }

    @Override
    public CompletionStage<Long> fencingToken() {
        CompletableFuture<Long> token = new CompletableFuture<>();
        tokens.base().whenComplete((base, failure) -> {
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
    public CompletionStage<Void> contended() {
        CompletableFuture<Void> contended = new CompletableFuture<>();
        owner.watchContention(this, contended);
        return contended;
    }

    @Override
    public void abandon(String reason) {
        if (state.compareAndSet(State.HELD, State.LOST)) {
            lost.complete(reason);
            partition.context().warnings().lost().warn("Lock '" + partition.lockId() + "' is lost: " + reason);
        }
    }

    @Override
    public CompletionStage<Void> release() {
        if (!slot.isValid()) {
            abandon("its lease had run out when it was released");
        }
        if (state.getAndSet(State.RELEASED) != State.RELEASED) {
            owner.released(this);
        }
        return released;
    }

    /** A lock whose lease has run out cannot keep others out. */
    @Override
    public CompletionStage<Void> leave(Duration atLeast) {
        if (!isValid()) {
            return release();
        }
        if (state.getAndSet(State.RELEASED) != State.RELEASED) {
            owner.left(this, atLeast);
        }
        return released;
    }

    OwnSlot slot() {
        return slot;
    }

    /** Notes that the release has been acknowledged, or continues in the background. */
    void releaseEnded() {
        released.complete(null);
    }
}

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call that converts a handle to another mode. It takes effect in one step of the lock's mailbox. The caller gives up before that
 * step or after it, and afterwards the mode of the handle is final. Thread-safe, but for what only tasks of the lock's mailbox use.
 */
final class Conversion implements Attempt {

    private final TicketGrant grant;
    private final LockMode target;
    private final boolean soft;
    private final long arrivedAt;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();

    /** Guards that the conversion either takes effect or is given up. */
    private final Object decision = new Object();

    private boolean inEffect;
    private volatile boolean givenUp;

    /** The part of it that waits with a slot; null before that. */
    private volatile @Nullable Waiter waiter;

    /**
     * @param target the mode that the handle is to have
     * @param soft whether it is refused if it would have to wait
     */
    Conversion(TicketGrant grant, LockMode target, boolean soft, long arrivedAt) {
        this.grant = grant;
        this.target = target;
        this.soft = soft;
        this.arrivedAt = arrivedAt;
    }

    @Override
    public CompletionStage<Optional<Grant>> outcome() {
        return outcome;
    }

    @Override
    public Optional<Obstacle> obstacle() {
        return Optional.ofNullable(waiter).flatMap(Waiter::obstacle);
    }

    /** Does nothing if the conversion is in effect. If it is not, it never will be. */
    @Override
    public void giveUp() {
        synchronized (decision) {
            if (inEffect) {
                return;
            }
            givenUp = true;
        }
        Waiter waiting = waiter;
        if (waiting != null) {
            waiting.giveUp();
        }
        cancelled();
    }

    /**
     * Gives the handle these slots, unless the caller has given up. To be called in the lock's mailbox, once.
     *
     * @return whether the handle has them
     */
    boolean takeEffect(Chain chain) {
        synchronized (decision) {
            if (givenUp) {
                return false;
            }
            inEffect = true;
            grant.holdsBy(chain);
        }
        grant.endsConverting(this);
        return true;
    }

    boolean hasGivenUp() {
        return givenUp;
    }

    TicketGrant grant() {
        return grant;
    }

    LockMode target() {
        return target;
    }

    boolean isSoft() {
        return soft;
    }

    long arrivedAt() {
        return arrivedAt;
    }

    /** From now on it waits by this waiter, and ends with it. */
    void waitsBy(Waiter waiting) {
        waiter = waiting;
        waiting.outcome().whenComplete((granted, failure) -> {
            grant.endsConverting(this);
            if (failure != null) {
                outcome.completeExceptionally(failure);
            } else {
                outcome.complete(granted);
            }
        });
    }

    /** The part of it that waits; empty if it does not wait. */
    Optional<Waiter> waiter() {
        return Optional.ofNullable(waiter);
    }

    void converted() {
        outcome.complete(Optional.of(grant));
    }

    void refused() {
        outcome.complete(Optional.empty());
    }

    void cancelled() {
        failed(new CancellationException("the caller gave up"));
    }

    void failed(Throwable cause) {
        outcome.completeExceptionally(cause);
    }
}

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.spi.Obstacle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lock as this process sees it: its threads queue here, first come, first served, and share one slot (protocol,
 * section 6). Exists while somebody here wants the lock, holds it, or its slot has yet to be cleaned.
 */
final class LocalQueue {

    /*
     * All state is changed by the mailbox's tasks alone. What the slot is being used for is one of four states; the
     * methods under "transitions" are the only ones that change it. While the slot is on its way, the front waiter is
     * whom it is for.
     */

    private static final Logger log = LoggerFactory.getLogger(LocalQueue.class);

    private final TicketParts parts;
    private final String lockId;
    private final Consumer<LocalQueue> retire;
    private final Mailbox mailbox = new Mailbox();
    private final Deque<Waiter> waiters = new ArrayDeque<>(1);
    private final Carry carry = new Carry();
    private volatile SlotUse use = SlotUse.FREE;
    private boolean retired;
    private @Nullable CompletableFuture<Void> settled;

    /** @param retire drops this queue; whoever comes later begins a new one */
    LocalQueue(TicketParts parts, String lockId, Consumer<LocalQueue> retire) {
        this.parts = parts;
        this.lockId = lockId;
        this.retire = retire;
    }

    String lockId() {
        return lockId;
    }

    TicketWarnings warnings() {
        return parts.warnings();
    }

    // What others ask for

    /**
     * Queues the waiter, or refuses it if it is soft and somebody is here already.
     *
     * @param elsewhere takes the waiter if this queue has been dropped in the meantime
     */
    void enter(Waiter waiter, Consumer<Waiter> elsewhere) {
        mailbox.execute(() -> {
            if (retired) {
                elsewhere.accept(waiter);
            } else if (waiter.hasGivenUp()) {
                waiter.cancelled();
                endIfNobodyCame();
            } else if (waiter.isSoft() && isBusy()) {
                waiter.refused();
            } else {
                waiters.add(waiter);
                waiter.queuedBehind(this::obstacle);
                goOn();
            }
        });
    }

    /** What keeps those who wait here from the lock. Asked by any thread. */
    private Optional<Obstacle> obstacle() {
        SlotUse seen = use;
        if (seen instanceof SlotUse.Acquiring acquiring) {
            return acquiring.attempt().obstacle();
        }
        return seen instanceof SlotUse.Held held
                ? Optional.of(new Obstacle.Taken(
                        Optional.of("another thread of this process"),
                        held.tenure().age()))
                : Optional.empty();
    }

    /** The first to come gave up on its way here. */
    private void endIfNobodyCame() {
        if (use instanceof SlotUse.Free && waiters.isEmpty()) {
            end();
        }
    }

    private boolean isBusy() {
        return !waiters.isEmpty() || use instanceof SlotUse.Held;
    }

    /** The waiter gives up. The slot's place in the lock's queue stays with those behind it. */
    void leave(Waiter waiter) {
        mailbox.execute(() -> {
            if (waiters.remove(waiter)) {
                waiter.cancelled();
                if (use instanceof SlotUse.Acquiring acquiring && (waiter.isSoft() || waiters.isEmpty())) {
                    acquiring.attempt().abandon();
                    passOn(acquiring.attempt().toClean());
                }
            }
        });
    }

    /** The grant's thread has finished. */
    void released(TicketGrant grant) {
        mailbox.execute(() -> {
            if (use instanceof SlotUse.Held held && held.tenure().isCurrent(grant)) {
                handOverOrRelease(held.tenure(), grant);
            } else {
                grant.releaseEnded();
            }
        });
    }

    /** Completes with the base of the tenure's tokens once a quorum knows of them. */
    CompletionStage<Long> reserveTokens(Tenure tenure) {
        return CompletableFuture.supplyAsync(
                        () -> tenure.tokens(() -> TokenReservation.begin(parts, lockId, carry, mailbox)), mailbox)
                .thenCompose(Function.identity());
    }

    /** A session of this process is lost: what stands on it is lost, and whoever waits starts over under a new one. */
    void sessionLost(OwnSession session, String reason) {
        mailbox.execute(() -> {
            if (use instanceof SlotUse.Acquiring acquiring
                    && acquiring.attempt().belongsTo(session)) {
                acquiring.attempt().abandon();
                passOn(Optional.empty());
            } else if (use instanceof SlotUse.Held held && held.tenure().slot().belongsTo(session)) {
                lose(held.tenure(), reason);
            } else if (use instanceof SlotUse.Releasing releasing
                    && releasing.release().slot().belongsTo(session)) {
                releasing.release().replaced();
                passOn(Optional.empty());
            }
        });
    }

    /** Rewrites the slot if it is about to expire. */
    void refreshIfDue() {
        mailbox.execute(() -> currentSlot()
                .ifPresent(slot ->
                        new SlotRefresh(parts, lockId, slot, mailbox, this::isCurrent, this::loseIfExpired).ifDue()));
    }

    /** Completes when there is no slot any more that others could wait for. */
    CompletionStage<Void> settled() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        mailbox.execute(() -> {
            if (retired) {
                done.complete(null);
            } else {
                settled = done;
            }
        });
        return done;
    }

    // Transitions

    /** What the waiter that has just come changes. */
    private void goOn() {
        if (use instanceof SlotUse.Releasing releasing) {
            releasing.release().replaced();
            acquire(Optional.of(releasing.release().slot()));
        } else if (use instanceof SlotUse.Free) {
            acquire(Optional.empty());
        }
    }

    private void acquire(Optional<OwnSlot> leftOver) {
        newAttempt(leftOver).start();
    }

    private SlotAttempt newAttempt(Optional<OwnSlot> leftOver) {
        SlotAttempt attempt = waiters.element().isSoft()
                ? new SoftAttempt(parts, lockId, carry, leftOver, mailbox, this::attemptEnded)
                : new MandatoryAttempt(parts, lockId, carry, leftOver, mailbox, this::attemptEnded);
        use = new SlotUse.Acquiring(attempt);
        return attempt;
    }

    /** Called by the attempt under way, once: an attempt that was abandoned is silent. */
    private void attemptEnded(AttemptEnd end) {
        SlotUse.Acquiring acquiring = (SlotUse.Acquiring) use;
        if (end instanceof AttemptEnd.Acquired acquired) {
            Tenure tenure = new Tenure(acquired.slot(), parts.terms(), parts.ticker());
            use = new SlotUse.Held(tenure);
            waiters.remove().granted(tenure.grantTo(this));
        } else if (end instanceof AttemptEnd.Refused) {
            waiters.remove().refused();
            passOn(acquiring.attempt().toClean());
        } else if (end instanceof AttemptEnd.Over over) {
            startOver(acquiring.attempt().toClean(), over.reason());
        } else if (end instanceof AttemptEnd.Failed failed) {
            failLongWaiting(failed.cause());
            passOn(acquiring.attempt().toClean());
        }
    }

    private void startOver(Optional<OwnSlot> leftOver, String reason) {
        log.info("The attempt on lock '{}' starts over: {}", lockId, reason);
        if (waiters.element().isSoft()) {
            waiters.remove().refused();
            passOn(leftOver);
        } else {
            newAttempt(leftOver).startAfter(parts.terms().poll().max());
        }
    }

    /** The front waiter fails at any rate; of those behind it, who has seen the store fail for as long. */
    private void failLongWaiting(Throwable cause) {
        waiters.remove().failed(cause);
        long since = parts.ticker().nanos() - parts.sessionTerms().lease().toNanos();
        Iterator<Waiter> behind = waiters.iterator();
        while (behind.hasNext()) {
            Waiter waiter = behind.next();
            if (waiter.arrivedAt() - since <= 0) {
                behind.remove();
                waiter.failed(cause);
            }
        }
    }

    private void handOverOrRelease(Tenure tenure, TicketGrant grant) {
        if (waiters.isEmpty()) {
            release(tenure.slot(), grant::releaseEnded);
            return;
        }
        grant.releaseEnded();
        if (tenure.mayBeHandedOver() && tenure.isValid()) {
            waiters.remove().granted(tenure.grantTo(this));
        } else {
            passOn(Optional.of(tenure.slot()));
        }
    }

    private void lose(Tenure tenure, String reason) {
        tenure.lose(reason);
        passOn(Optional.of(tenure.slot()));
    }

    /** Whoever waits takes over with W1, which replaces what the slot says; if nobody does, the slot is cleaned. */
    private void passOn(Optional<OwnSlot> slot) {
        if (!waiters.isEmpty()) {
            acquire(slot);
        } else if (slot.isPresent()) {
            release(slot.get(), () -> {});
        } else {
            end();
        }
    }

    /** Nothing of a session that is lost is written any more: its slots are evicted. */
    private void release(OwnSlot slot, Runnable firstTryEnded) {
        if (slot.session().isValid()) {
            SlotRelease release = new SlotRelease(parts, lockId, slot, mailbox, firstTryEnded, this::end);
            use = new SlotUse.Releasing(release);
            release.start();
        } else {
            end();
            firstTryEnded.run();
        }
    }

    private void end() {
        use = SlotUse.FREE;
        retired = true;
        retire.accept(this);
        if (settled != null) {
            settled.complete(null);
        }
    }

    private boolean isCurrent(OwnSlot slot) {
        return currentSlot().filter(current -> current == slot).isPresent();
    }

    private Optional<OwnSlot> currentSlot() {
        if (use instanceof SlotUse.Acquiring acquiring) {
            return acquiring.attempt().slot();
        }
        return use instanceof SlotUse.Held held ? Optional.of(held.tenure().slot()) : Optional.empty();
    }

    private void loseIfExpired() {
        if (use instanceof SlotUse.Held held && held.tenure().slot().isExpired()) {
            lose(held.tenure(), "its slot may have expired, because no refresh of it was acknowledged");
        }
    }
}

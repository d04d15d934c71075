package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.spi.Obstacle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lock as this process sees it: its threads queue here, first come, first served, and share one slot (protocol,
 * section 6). It exists while a thread here wants the lock or holds it, or its slot has yet to be cleaned.
 */
final class LocalQueue {

    /*
     * Only tasks of the mailbox change the state. What the slot is being used for is one of four states, which only the
     * methods under "transitions" change. In the state Acquiring the attempt is made for the front waiter.
     */

    private static final Logger log = LoggerFactory.getLogger(LocalQueue.class);

    private final LockPartition partition;
    private final Consumer<LocalQueue> retire;
    private final Deque<Waiter> waiters = new ArrayDeque<>(1);
    private volatile SlotState state = SlotState.FREE;
    private boolean retired;
    private @Nullable CompletableFuture<Void> settled;

    /** @param retire drops this queue; later waiters begin a new one */
    LocalQueue(TicketContext context, String lockId, Consumer<LocalQueue> retire) {
        this.partition = new LockPartition(context, lockId);
        this.retire = retire;
    }

    String lockId() {
        return partition.lockId();
    }

    private TicketContext context() {
        return partition.context();
    }

    private Executor mailbox() {
        return partition.mailbox();
    }

    // What others ask for

    /**
     * Queues the waiter, or refuses it if it is soft and the lock is taken in this process already.
     *
     * @param elsewhere takes the waiter if this queue has been dropped in the meantime
     */
    void enter(Waiter waiter, Consumer<Waiter> elsewhere) {
        mailbox().execute(() -> {
            if (retired) {
                elsewhere.accept(waiter);
            } else if (waiter.hasGivenUp()) {
                waiter.cancelled();
                endIfUnused();
            } else if (waiter.isSoft() && isBusy()) {
                waiter.refused();
            } else {
                waiters.add(waiter);
                waiter.queuedBehind(this::obstacle);
                goOn();
            }
        });
    }

    /** What keeps those who wait here from the lock. Called from any thread. */
    private Optional<Obstacle> obstacle() {
        SlotState seen = state;
        if (seen instanceof SlotState.Acquiring acquiring) {
            return acquiring.attempt().obstacle();
        }
        return seen instanceof SlotState.Held held
                ? Optional.of(new Obstacle.Taken(
                        Optional.of("another thread of this process"),
                        held.hold().age()))
                : Optional.empty();
    }

    /** For a queue whose first waiter gave up before it was queued. */
    private void endIfUnused() {
        if (state instanceof SlotState.Free && waiters.isEmpty()) {
            end();
        }
    }

    private boolean isBusy() {
        return !waiters.isEmpty() || state instanceof SlotState.Held;
    }

    /** The waiter gives up. The slot's place in the lock's queue stays with those behind it. */
    void leave(Waiter waiter) {
        mailbox().execute(() -> {
            if (waiters.remove(waiter)) {
                waiter.cancelled();
                if (state instanceof SlotState.Acquiring acquiring && (waiter.isSoft() || waiters.isEmpty())) {
                    acquiring.attempt().abandon();
                    passOn(acquiring.attempt().toClean());
                }
            }
        });
    }

    /** The grant's thread has finished. */
    private void released(TicketGrant grant) {
        mailbox().execute(() -> {
            if (state instanceof SlotState.Held held && held.hold().isCurrent(grant)) {
                handOverOrRelease(held.hold(), grant);
            } else {
                grant.releaseEnded();
            }
        });
    }

    /** A session of this process is lost: its grants are lost, and its waiters start over under a new session. */
    void sessionLost(OwnSession session, String reason) {
        mailbox().execute(() -> {
            if (state instanceof SlotState.Acquiring acquiring
                    && acquiring.attempt().belongsTo(session)) {
                acquiring.attempt().abandon();
                passOn(Optional.empty());
            } else if (state instanceof SlotState.Held held
                    && held.hold().slot().belongsTo(session)) {
                lose(held.hold(), reason);
            } else if (state instanceof SlotState.Releasing releasing
                    && releasing.release().slot().belongsTo(session)) {
                releasing.release().replaced();
                passOn(Optional.empty());
            }
        });
    }

    /** Writes the slot again if it is about to expire. */
    void refreshIfDue() {
        mailbox()
                .execute(() -> currentSlot()
                        .ifPresent(slot ->
                                new SlotRefresh(partition, slot, this::isCurrent, this::loseIfExpired).ifDue()));
    }

    /** Completes when no slot of this process is left that others could wait for. */
    CompletionStage<Void> settled() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        mailbox().execute(() -> {
            if (retired) {
                done.complete(null);
            } else {
                settled = done;
            }
        });
        return done;
    }

    // Transitions

    /** After a waiter has been added. */
    private void goOn() {
        if (state instanceof SlotState.Releasing releasing) {
            releasing.release().replaced();
            acquire(Optional.of(releasing.release().slot()));
        } else if (state instanceof SlotState.Free) {
            acquire(Optional.empty());
        }
    }

    private void acquire(Optional<OwnSlot> leftOver) {
        newAttempt(leftOver).start();
    }

    private SlotAttempt newAttempt(Optional<OwnSlot> leftOver) {
        SlotAttempt attempt = waiters.element().isSoft()
                ? new SoftAttempt(partition, leftOver, this::attemptEnded)
                : new MandatoryAttempt(partition, leftOver, this::attemptEnded);
        state = new SlotState.Acquiring(attempt);
        return attempt;
    }

    /** Called by the attempt under way, once; an attempt that was abandoned does not call. */
    private void attemptEnded(AttemptOutcome outcome) {
        SlotState.Acquiring acquiring = (SlotState.Acquiring) state;
        if (outcome instanceof AttemptOutcome.Acquired acquired) {
            SlotHold hold = new SlotHold(partition, acquired.slot(), this::released);
            state = new SlotState.Held(hold);
            waiters.remove().granted(hold.nextGrant());
        } else if (outcome instanceof AttemptOutcome.Refused) {
            waiters.remove().refused();
            passOn(acquiring.attempt().toClean());
        } else if (outcome instanceof AttemptOutcome.SlotLost lost) {
            startOver(acquiring.attempt().toClean(), lost.reason());
        } else if (outcome instanceof AttemptOutcome.Failed failed) {
            failLongWaiting(failed.cause());
            passOn(acquiring.attempt().toClean());
        }
    }

    private void startOver(Optional<OwnSlot> leftOver, String reason) {
        log.info("The attempt on lock '{}' starts over: {}", lockId(), reason);
        if (waiters.element().isSoft()) {
            waiters.remove().refused();
            passOn(leftOver);
        } else {
            newAttempt(leftOver).startAfter(context().settings().poll().max());
        }
    }

    /** Fails the front waiter, and of those behind it all that have waited while the store failed for as long. */
    private void failLongWaiting(Throwable cause) {
        waiters.remove().failed(cause);
        long since =
                context().ticker().nanos() - context().sessionSettings().lease().toNanos();
        Iterator<Waiter> behind = waiters.iterator();
        while (behind.hasNext()) {
            Waiter waiter = behind.next();
            if (waiter.arrivedAt() - since <= 0) {
                behind.remove();
                waiter.failed(cause);
            }
        }
    }

    private void handOverOrRelease(SlotHold hold, TicketGrant grant) {
        if (waiters.isEmpty()) {
            release(hold.slot(), grant::releaseEnded);
            return;
        }
        grant.releaseEnded();
        if (hold.mayBeHandedOver() && hold.slot().isValid()) {
            waiters.remove().granted(hold.nextGrant());
        } else {
            passOn(Optional.of(hold.slot()));
        }
    }

    private void lose(SlotHold hold, String reason) {
        hold.lose(reason);
        passOn(Optional.of(hold.slot()));
    }

    /** The next waiter takes over with W1, which replaces what the slot says; without one, the slot is cleaned. */
    private void passOn(Optional<OwnSlot> slot) {
        if (!waiters.isEmpty()) {
            acquire(slot);
        } else if (slot.isPresent()) {
            release(slot.get(), () -> {});
        } else {
            end();
        }
    }

    /** Nothing is written for a session that is lost: others evict its slots. */
    private void release(OwnSlot slot, Runnable firstTryEnded) {
        if (slot.session().isValid()) {
            SlotRelease release = new SlotRelease(partition, slot, firstTryEnded, this::end);
            state = new SlotState.Releasing(release);
            release.start();
        } else {
            end();
            firstTryEnded.run();
        }
    }

    private void end() {
        state = SlotState.FREE;
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
        if (state instanceof SlotState.Acquiring acquiring) {
            return acquiring.attempt().slot();
        }
        return state instanceof SlotState.Held held ? Optional.of(held.hold().slot()) : Optional.empty();
    }

    private void loseIfExpired() {
        if (state instanceof SlotState.Held held && held.hold().slot().isExpired()) {
            lose(held.hold(), "its slot may have expired, because no refresh of it was acknowledged");
        }
    }
}

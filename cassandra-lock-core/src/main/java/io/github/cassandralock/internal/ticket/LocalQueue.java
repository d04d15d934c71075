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
 * The queue of one lock in this process. Threads of this process wait here, first come, first served, and share one slot
 * (protocol, section 6). The queue exists while a thread wants or holds the lock, or while its slot is being released.
 */
final class LocalQueue {

    /*
     * Only tasks of the mailbox change the fields. The slot is in one of four states, and only the methods under
     * "Transitions" change that state. In the state Acquiring, the attempt is made for the first waiter.
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

    // Requests

    /**
     * Queues the waiter, or refuses it if it is soft and a thread of this process holds the lock or waits for it.
     *
     * @param elsewhere receives the waiter if this queue has been dropped in the meantime
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

    /** Why the waiters of this queue do not have the lock yet. May be called from any thread. */
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

    /** Drops a queue whose first waiter gave up before it was queued. */
    private void endIfUnused() {
        if (state instanceof SlotState.Free && waiters.isEmpty()) {
            end();
        }
    }

    private boolean isBusy() {
        return !waiters.isEmpty() || state instanceof SlotState.Held;
    }

    /**
     * The waiter gives up. If mandatory waiters are left, the attempt goes on for them and keeps its ticket. A soft attempt, and
     * an attempt without waiters, is abandoned.
     */
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

    /** The holder of the grant has released it. */
    private void released(TicketGrant grant) {
        mailbox().execute(() -> {
            if (state instanceof SlotState.Held held && held.hold().isCurrent(grant)) {
                handOverOrRelease(held.hold(), grant);
            } else {
                grant.releaseEnded();
            }
        });
    }

    /** A session of this process is lost: its grants are lost, and its waiters begin again under a new session. */
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

    /** Completes when this queue has ended: then no slot of it is left to release. */
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

    /** Called after a waiter was added. */
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

    /** The current attempt calls this once. An attempt that was abandoned does not call it. */
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

    /** Fails the first waiter, and all waiters behind it that have waited for a lease or longer. */
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

    /** If there is a next waiter, its attempt writes W1, which replaces the slot's content. If not, the slot is released. */
    private void passOn(Optional<OwnSlot> slot) {
        if (!waiters.isEmpty()) {
            acquire(slot);
        } else if (slot.isPresent()) {
            release(slot.get(), () -> {});
        } else {
            end();
        }
    }

    /** If the session is lost, nothing is written: other processes evict its slots. */
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

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.UUID;
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
final class LocalQueue implements TicketGrant.Owner, IncomingNotices.Queue {

    /*
     * Only tasks of the mailbox change the state. What the slot is being used for is one of seven states, which only the
     * methods under "transitions" change. In the state Acquiring the attempt is made for the front waiter.
     * That an attempt is over, and what replaces it, is one decision: a transition tells it before anything is written.
     */

    private static final Logger log = LoggerFactory.getLogger(LocalQueue.class);
    private static final SlotState FREE = new SlotState.Free();

    private final LockPartition partition;
    private final Consumer<LocalQueue> retire;
    private final Deque<Waiter> waiters = new ArrayDeque<>(1);
    private volatile SlotState state = FREE;
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

    private LockNotices notices() {
        return partition.notices();
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
            } else if (state instanceof SlotState.Left) {
                waiter.failed(leftTaken());
            } else if (waiter.isSoft() && isBusy()) {
                waiter.refused();
            } else {
                waiters.add(waiter);
                waiter.queuedBehind(this::obstacle);
                waitedFor();
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
                    acquiring.attempt().giveUp();
                    passOn(acquiring.attempt().toClean());
                }
            }
        });
    }

    @Override
    public SlotState state() {
        return state;
    }

    @Override
    public void giveUp(OwnSlot kept) {
        context().recentHolds().forget(lockId());
        passOn(Optional.of(kept));
    }

    @Override
    public void waitedFor() {
        if (state instanceof SlotState.Held held) {
            held.hold().waitedFor();
        }
    }

    @Override
    public void watchContention(TicketGrant grant, CompletableFuture<Void> contended) {
        mailbox().execute(() -> {
            if (state instanceof SlotState.Held held && held.hold().isCurrent(grant)) {
                held.hold().watchContention(grant, contended);
                if (!waiters.isEmpty()
                        || (context().exchangesNotices() && notices().isWaitedFor())) {
                    held.hold().waitedFor();
                }
            }
        });
    }

    @Override
    public void released(TicketGrant grant) {
        mailbox().execute(() -> {
            if (state instanceof SlotState.Held held && held.hold().isCurrent(grant)) {
                held.hold().endContentionWatch();
                handOverOrRelease(held.hold(), grant);
            } else {
                grant.releaseEnded();
            }
        });
    }

    @Override
    public void left(TicketGrant grant, Duration atLeast) {
        mailbox().execute(() -> {
            if (state instanceof SlotState.Held held && held.hold().isCurrent(grant)) {
                held.hold().endContentionWatch();
                leave(held.hold().slot(), atLeast).whenComplete((drawnAt, notWritten) -> grant.releaseEnded());
            } else {
                grant.releaseEnded();
            }
        });
    }

    /**
     * A notice from another session (notices, section 3).
     *
     * @param own this process's session, to which it was sent
     * @param from the sender's session
     * @param elsewhere runs instead if this queue has been dropped in the meantime
     */
    void received(OwnSession own, UUID from, Notice notice, Runnable elsewhere) {
        mailbox().execute(() -> {
            if (retired) {
                elsewhere.run();
            } else {
                new IncomingNotices(partition, this).received(own, from, notice);
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
            } else if (state instanceof SlotState.Left left && left.slot().belongsTo(session)) {
                end();
            } else if (state.unusedSlot()
                    .filter(slot -> slot.belongsTo(session))
                    .isPresent()) {
                end();
            }
        });
    }

    /**
     * Takes the lock away from its holder: the present grant is lost, and the slot is given up. Does nothing unless this process
     * holds the lock by exactly this attempt.
     */
    void breakHold(OwnSession session, long attempt, String reason) {
        mailbox().execute(() -> {
            if (state instanceof SlotState.Held held
                    && held.hold().slot().belongsTo(session)
                    && held.hold().slot().row().attempt() == attempt) {
                lose(held.hold(), reason);
            }
        });
    }

    /** Writes the slot again if it is about to expire. */
    void refreshIfDue() {
        mailbox()
                .execute(() -> state.writtenSlot()
                        .ifPresent(slot ->
                                new SlotRefresh(partition, slot, this::isCurrent, this::loseIfExpired).ifDue()));
    }

    /** Completes when this queue has ended, or leaves its slot behind: then no slot of it is left to release. */
    CompletionStage<Void> settled() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        mailbox().execute(() -> {
            if (retired || state instanceof SlotState.Left) {
                done.complete(null);
            } else {
                settled = done;
                state.unusedSlot().ifPresent(slot -> passOn(Optional.of(slot)));
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
        } else if (state instanceof SlotState.Kept kept) {
            grantKept(kept.hold());
        } else if (state instanceof SlotState.Returning returning) {
            comeBackAs(returning.promised());
        }
    }

    private void grantKept(SlotHold hold) {
        if (hold.mayBeKept()) {
            log.debug("Lock '{}': had been kept, and is granted without a request", lockId());
            state = new SlotState.Held(hold);
            waiters.remove().granted(hold.nextGrant());
        } else {
            passOn(Optional.of(hold.slot()));
        }
    }

    /** The slot was acquired, and is over. Its release and the way back to the lock are one write, if that is possible. */
    private void comeBack(OwnSlot slot) {
        if (context().exchangesNotices() && slot.isValid() && !waiters.element().isSoft()) {
            comeBackAs(promise(slot));
        } else {
            passOn(Optional.of(slot));
        }
    }

    /** Decides that the slot's attempt is over, and which one replaces it: others are told its number and its ticket. */
    private OwnSlot promise(OwnSlot slot) {
        OwnSlot promised = slot.returning(notices().facts().ticketAboveAll());
        notices().facts().heardTicket(promised.row().ticket());
        notices().over(LockFacts.of(promised.row()));
        return promised;
    }

    private void comeBackAs(OwnSlot promised) {
        if (waiters.element().isSoft()) {
            passOn(Optional.of(promised));
        } else {
            SlotAttempt attempt = new MandatoryAttempt(partition, Optional.of(promised), this::attemptEnded);
            state = new SlotState.Acquiring(attempt);
            attempt.startReturning(promised);
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
            SlotHold hold = new SlotHold(partition, acquired, this);
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
        leftOver.ifPresent(this::tellOver);
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
            releaseOrKeep(hold, grant);
            return;
        }
        if (hold.mayBeHandedOver() && hold.slot().isValid()) {
            context().counters().add(Counted.HANDED_OVER);
            log.debug("Lock '{}': handed over to the next thread of this process, without a request", lockId());
            grant.releaseEnded();
            waiters.remove().granted(hold.nextGrant());
        } else {
            comeBack(hold.slot());
            grant.releaseEnded();
        }
    }

    private void releaseOrKeep(SlotHold hold, TicketGrant grant) {
        if (!context().exchangesNotices()) {
            release(hold.slot(), grant::releaseEnded);
        } else {
            releaseOrKeep(hold);
            grant.releaseEnded();
        }
    }

    /** With notices, the releasing thread does not wait for the write: those that wait for the slot have been told. */
    private void releaseOrKeep(SlotHold hold) {
        if (!hold.slot().isValid() || settled != null) {
            passOn(Optional.of(hold.slot()));
        } else if (notices().isWaitedFor() || hold.isContended()) {
            context().recentHolds().forget(lockId());
            waitForReturn(promise(hold.slot()));
        } else if (context()
                        .recentHolds()
                        .releasedAgain(lockId(), context().ticker().nanos())
                && hold.mayBeKept()) {
            keep(hold);
        } else {
            passOn(Optional.of(hold.slot()));
        }
    }

    private void waitForReturn(OwnSlot promised) {
        SlotState.Returning returning = new SlotState.Returning(promised);
        state = returning;
        after(TicketSettings.RETURN_WINDOW, returning, promised);
    }

    private void keep(SlotHold hold) {
        log.debug("Lock '{}': kept for the next thread of this process", lockId());
        SlotState.Kept kept = new SlotState.Kept(hold);
        state = kept;
        after(hold.keptFor(), kept, hold.slot());
    }

    /** Without timers, which end with the application, the slot is given up at once. */
    private void after(Duration time, SlotState waiting, OwnSlot slot) {
        context()
                .timers()
                .after(time)
                .whenCompleteAsync(
                        (done, noTimers) -> {
                            if (state == waiting) {
                                passOn(Optional.of(slot));
                            }
                        },
                        mailbox());
    }

    private void lose(SlotHold hold, String reason) {
        hold.lose(reason);
        passOn(Optional.of(hold.slot()));
    }

    /** If there is a next waiter, its attempt writes W1, which replaces the slot's content. If not, the slot is released. */
    private void passOn(Optional<OwnSlot> slot) {
        slot.ifPresent(this::tellOver);
        if (!waiters.isEmpty()) {
            acquire(slot);
        } else if (slot.isPresent()) {
            release(slot.get(), () -> {});
        } else {
            end();
        }
    }

    /** From now on only W1 may follow. Nothing is told by a session that is lost. */
    private void tellOver(OwnSlot slot) {
        if (slot.session().isValid()) {
            notices().over(IncomingNotices.isOver(slot));
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

    /**
     * The process ends, and its session outlives it: the slot stays as it is. Until then the queue still answers notices, because
     * a session that has no attempt would tell others that its slot is over. If the write fails, the slot exists for as long as
     * its last write said.
     */
    private CompletionStage<Long> leave(OwnSlot slot, Duration atLeast) {
        state = new SlotState.Left(slot);
        slot.session().outlive(atLeast);
        waiters.forEach(waiter -> waiter.failed(leftTaken()));
        waiters.clear();
        settle();
        return partition.write(slot.left(atLeast));
    }

    private IllegalStateException leftTaken() {
        return new IllegalStateException("Lock '" + lockId()
                + "' was not granted: the application shuts down, and the lock stays taken (holdAtLeast)");
    }

    private void end() {
        state = FREE;
        retired = true;
        retire.accept(this);
        settle();
    }

    private void settle() {
        if (settled != null) {
            settled.complete(null);
        }
    }

    private boolean isCurrent(OwnSlot slot) {
        return state.writtenSlot().filter(current -> current == slot).isPresent();
    }

    private void loseIfExpired() {
        if (state instanceof SlotState.Kept kept && kept.hold().slot().isExpired()) {
            passOn(Optional.of(kept.hold().slot()));
        } else if (state instanceof SlotState.Held held && held.hold().slot().isExpired()) {
            lose(held.hold(), "its slot may have expired, because no refresh of it was acknowledged");
        }
    }
}

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of this process's session to acquire a lock. It performs W1, R1, W2 and R of the protocol's section 2, with one
 * method for each step. Runs in the lock's mailbox.
 */
abstract class SlotAttempt {

    /*
     * Each session reads only after a quorum has acknowledged its write. So of two sessions that want the lock at the same
     * time, at least one sees the other.
     */

    private final LockPartition partition;
    private final Consumer<AttemptOutcome> end;
    private final Steps steps;
    private final BlockerWatch watch;
    private final Optional<OwnSlot> leftOver;
    private @Nullable OwnSlot slot;
    private long announcedAt;
    private boolean ended;

    /**
     * @param leftOver this process's slot from an earlier use, if it has not been released; W1 replaces it
     * @param patience how long the store may fail without a success in between
     * @param end receives the outcome, once; never if the attempt is abandoned
     */
    SlotAttempt(LockPartition partition, Optional<OwnSlot> leftOver, Duration patience, Consumer<AttemptOutcome> end) {
        this.leftOver = leftOver;
        this.partition = partition;
        this.end = end;
        this.steps = partition.steps(patience, cause -> end(new AttemptOutcome.Failed(cause)));
        this.watch = new BlockerWatch(partition, steps::wake);
    }

    /** Begins. Called once. */
    abstract void start();

    /** Begins after a pause, because the previous attempt lost its slot. */
    void startAfter(Duration pause) {
        steps.pauseThen(pause, this::start);
    }

    /** Called when the ticket was drawn. The subclass decides when to read the blockers. */
    abstract void ticketDrawn(List<Slot> conflicting);

    /** Called when R showed these blockers. The subclass decides whether to wait. */
    abstract void blockedBy(List<Slot> blockers);

    /** Called when R showed no blocker, before the lock is acquired. */
    abstract void unblocked();

    /** Why the lock is not acquired yet: the store fails, or another slot is ahead. May be called from any thread. */
    Optional<Obstacle> obstacle() {
        return steps.lastFailure().<Obstacle>map(Obstacle.StoreFails::new).or(this::inTheWay);
    }

    /** The first blocker, if it is known. May be called from any thread. */
    Optional<Obstacle> inTheWay() {
        return Optional.empty();
    }

    /** Stops without an outcome. The slot that it may have written is still there: {@link #toClean()}. */
    void abandon() {
        ended = true;
        steps.abandon();
        watch.end();
    }

    /** W1. Opens a session first, if there is none. Nothing is written for a session that was lost in the meantime. */
    void announce() {
        steps.step(() -> context().sessions().current().thenApply(SlotAttempt::requireValid), this::announce);
    }

    private static OwnSession requireValid(OwnSession session) {
        if (!session.isValid()) {
            throw new IllegalStateException("the session " + session.id() + " was lost as soon as it was open");
        }
        return session;
    }

    private void announce(OwnSession session) {
        announcedAt = context().ticker().nanos();
        OwnSlot own = new OwnSlot(context(), session);
        slot = own;
        write(own.choosing(), this::lookForOthers);
    }

    /** R1. */
    private void lookForOthers() {
        readWithOwnRow(read -> {
            List<Slot> conflicting = Bakery.conflicting(read, own().row().session());
            if (conflicting.isEmpty()) {
                acquired();
            } else {
                drawTicket(Bakery.nextTicket(read), conflicting);
            }
        });
    }

    /** W2. */
    private void drawTicket(long ticket, List<Slot> conflicting) {
        write(own().ticketed(ticket), () -> ticketDrawn(conflicting));
    }

    /** R. */
    void lookAtBlockers() {
        lookAtBlockers(read -> Bakery.blockers(read, own().row()));
    }

    /** R, repeated. A session that once did not block does not block this attempt again. Evicts a dead session first. */
    void lookAgainAt(List<Slot> blockers) {
        Optional<DeadSession> died = watch.nextDead();
        if (died.isEmpty()) {
            lookAtBlockers(read -> Bakery.stillBlocking(blockers, read, own().row()));
        } else {
            steps.step(() -> partition.evict(died.get()), done -> lookAgainAt(blockers));
        }
    }

    private void lookAtBlockers(Function<LockSlots, List<Slot>> blockersIn) {
        readWithOwnRow(read -> {
            List<Slot> blockers = blockersIn.apply(read);
            if (blockers.isEmpty()) {
                unblocked();
                acquired();
            } else {
                blockedBy(blockers);
            }
        });
    }

    private void write(SlotWrite write, Runnable next) {
        steps.step(() -> partition.write(write), drawnAt -> {
            own().acknowledged(drawnAt);
            ifStillOwn(next);
        });
    }

    private void readWithOwnRow(Consumer<LockSlots> next) {
        read(read -> {
            if (Bakery.shows(read, own().row())) {
                ifStillOwn(() -> next.accept(read));
            } else {
                own().session().verify();
                end(new AttemptOutcome.SlotLost("its slot was evicted"));
            }
        });
    }

    void read(Consumer<LockSlots> next) {
        steps.step(partition::read, next);
    }

    private void ifStillOwn(Runnable next) {
        if (own().isExpired()) {
            end(new AttemptOutcome.SlotLost("its slot may have expired before a write to it was acknowledged"));
        } else {
            next.run();
        }
    }

    /** Checks the lease and the slot's deadline after the winning read, because they may have ended during the read. */
    private void acquired() {
        end(
                own().isValid()
                        ? new AttemptOutcome.Acquired(own())
                        : new AttemptOutcome.SlotLost("its lease ran out before the lock was won"));
    }

    private void end(AttemptOutcome how) {
        if (!ended) {
            ended = true;
            watch.end();
            end.accept(how);
        }
    }

    BlockerWatch watch() {
        return watch;
    }

    void refuse() {
        end(new AttemptOutcome.Refused());
    }

    /** The attempt's slot; empty before W1. */
    Optional<OwnSlot> slot() {
        return Optional.ofNullable(slot);
    }

    /** The slot that has to be released if the attempt fails. */
    Optional<OwnSlot> toClean() {
        return slot().or(() -> leftOver);
    }

    String lockId() {
        return partition.lockId();
    }

    /** When W1 was begun; monotonic, in nanoseconds. */
    long announcedAt() {
        return announcedAt;
    }

    boolean belongsTo(OwnSession session) {
        return slot != null && slot.belongsTo(session);
    }

    private OwnSlot own() {
        if (slot == null) {
            throw new IllegalStateException("no slot for lock '" + lockId() + "' yet");
        }
        return slot;
    }

    Steps steps() {
        return steps;
    }

    TicketContext context() {
        return partition.context();
    }
}

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of this process's session to acquire a lock. It performs W1, R1, W2 and R of the protocol's section 2, with one
 * method for each step. Runs in the lock's mailbox.
 */
abstract class SlotAttempt {

    /*
     * Each session reads only after a quorum has acknowledged its write. So of two sessions that want the lock at the same
     * time, at least one sees the other.
     */

    private static final Logger log = LoggerFactory.getLogger(SlotAttempt.class);

    /** What becomes of an attempt. */
    interface Events {

        /** It has drawn its ticket. */
        void drew(Slot row);

        /** The write of its ticket was acknowledged: its place in the queue of all processes is certain. */
        void hasTicket();

        /** It has ended. Called once, and never if the attempt is abandoned. */
        void ended(AttemptOutcome outcome);
    }

    private final Participant participant;
    private final LockPartition partition;
    private final LockMode mode;
    private final Foothold foothold;
    private final Events events;
    private final Steps steps;
    private final BlockerWatch watch;
    private final Optional<OwnSlot> leftOver;
    private @Nullable OwnSlot slot;

    /** Null before the first R. */
    private @Nullable Blockers blockers;

    /** The blockers that no other one waits for. They were asked to say when they are over. */
    private List<Slot> last = List.of();

    private boolean contended;
    private boolean ticketed;
    private boolean unblocked;

    /** Since when it waits for threads of this process alone; null if it does not. */
    private volatile @Nullable Long waitsForThreadsSince;

    private long announcedAt;
    private boolean ended;

    /**
     * @param participant with which slot
     * @param mode how the lock is wanted
     * @param foothold what the attempt stands on
     * @param leftOver the slot from an earlier use, if it has not been released; W1 replaces it
     * @param patience how long the store may fail without a success in between
     */
    SlotAttempt(
            Participant participant,
            LockMode mode,
            Foothold foothold,
            Optional<OwnSlot> leftOver,
            Duration patience,
            Events events) {
        this.participant = participant;
        this.partition = participant.partition();
        this.mode = mode;
        this.foothold = foothold;
        this.leftOver = leftOver;
        this.events = events;
        this.steps = partition.steps(patience, cause -> end(new AttemptOutcome.Failed(cause)));
        this.watch = new BlockerWatch(partition, steps::wake);
    }

    /** Begins. Called once. */
    abstract void start();

    /**
     * RETICKET: begins with a ticket, by the write that releases the attempt before (notices, section 4).
     *
     * @param returning the attempt that was promised in that one's place
     */
    void startReturning(OwnSlot returning) {
        announcedAt = context().ticker().nanos();
        slot = returning;
        log.debug(
                "Lock '{}': session {} queues again with ticket {}, in attempt {}",
                lockId(),
                returning.session().id(),
                returning.row().ticket(),
                returning.row().attempt());
        write(returning.reticketed(), () -> {
            certainOfItsTicket();
            lookAtBlockers();
        });
    }

    /** Waits before it begins, because the attempt before this one came to nothing. */
    void pause(Duration pause, Runnable begin) {
        steps.pauseThen(pause, begin);
    }

    /** Called when the ticket was drawn. The subclass decides when to read the blockers. */
    abstract void ticketDrawn(List<Slot> conflicting);

    /** Called when R showed these blockers. The subclass decides whether to wait. */
    abstract void blockedBy(List<Slot> blockers);

    /**
     * There are no blockers any more.
     *
     * @param told whether a notice said so
     */
    abstract void unblocked(boolean told);

    /** Why the lock is not acquired yet: the store fails, or another slot is ahead. May be called from any thread. */
    Optional<Obstacle> obstacle() {
        return steps.lastFailure()
                .<Obstacle>map(Obstacle.StoreFails::new)
                .or(this::threads)
                .or(this::inTheWay);
    }

    private Optional<Obstacle> threads() {
        return Optional.ofNullable(waitsForThreadsSince)
                .map(since -> new Obstacle.Taken(
                        Optional.of("another thread of this process"),
                        Duration.ofNanos(context().ticker().nanos() - since)));
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

    /** The same, because the callers have given up. */
    void giveUp() {
        abandon();
    }

    /** W1. Opens a session first, if there is none. Nothing is written for a session that was lost in the meantime. */
    void announce() {
        steps.step(() -> context().sessions().current().thenApply(this::requireValid), this::announce);
    }

    private OwnSession requireValid(OwnSession session) {
        if (!session.isValid()) {
            throw new IllegalStateException("Lock '" + lockId() + "' was not granted: the session " + session.id()
                    + " was lost as soon as it was open; nothing is held, ask again");
        }
        return session;
    }

    private void announce(OwnSession session) {
        announcedAt = context().ticker().nanos();
        OwnSlot own = new OwnSlot(context(), session, participant.id(session), mode, foothold.base());
        slot = own;
        log.debug(
                "Lock '{}': session {} announces attempt {}",
                lockId(),
                session.id(),
                own.row().attempt());
        write(own.choosing(), this::lookForOthers);
    }

    /** R1. */
    private void lookForOthers() {
        readWithOwnRow(read -> {
            List<Slot> conflicting = conflicting(read);
            noteOthers(conflicting);
            if (foothold.isClear() && conflicting.stream().allMatch(slot -> facts().isOver(slot))) {
                acquired();
            } else {
                drawTicket(Bakery.nextTicket(read), conflicting);
            }
        });
    }

    /** W2. */
    private void drawTicket(long ticket, List<Slot> conflicting) {
        log.debug("Lock '{}': ticket {} drawn; {} others want the lock", lockId(), ticket, conflicting.size());
        SlotWrite ticketed = drawn(ticket);
        write(ticketed, () -> {
            certainOfItsTicket();
            ticketDrawn(conflicting);
        });
    }

    private SlotWrite drawn(long ticket) {
        SlotWrite ticketed = own().ticketed(ticket);
        facts().heardTicket(ticket);
        events.drew(own().row());
        if (context().exchangesNotices()) {
            participant.notices().drew(own().row());
        }
        return ticketed;
    }

    private void certainOfItsTicket() {
        ticketed = true;
        events.hasTicket();
    }

    /** R, for the first time: it says who the blockers are. */
    void lookAtBlockers() {
        readWithOwnRow(read -> {
            List<Slot> conflicting = conflicting(read);
            noteOthers(conflicting);
            blockers = new Blockers(conflicting, own().row());
            readShows(read, blockers);
        });
    }

    private List<Slot> conflicting(LockSlots read) {
        return conflicting(read, own().row().id());
    }

    /** The slots that have to be over before this one can hold the lock, unless they are behind it. */
    List<Slot> conflicting(LockSlots read, SlotId own) {
        return Bakery.conflicting(read, own, mode).stream()
                .filter(slot -> !foothold.ignores(slot))
                .toList();
    }

    /** R, repeated: a session that did not block once does not block in this attempt any more. */
    void lookAgain() {
        Optional<DeadSession> died = watch.nextDead();
        if (died.isEmpty()) {
            Blockers known = Objects.requireNonNull(blockers, "no read has shown blockers yet");
            readWithOwnRow(read -> {
                known.read(read);
                readShows(read, known);
            });
        } else {
            steps.step(() -> partition.evict(died.get()), done -> lookAgain());
        }
    }

    /** Sessions that come back want the lock, too, although they are not in the way. */
    private void noteOthers(List<Slot> conflicting) {
        contended = contended || conflicting.stream().anyMatch(slot -> !isOwn(slot) && !facts().hasEnded(slot));
    }

    private void readShows(LockSlots read, Blockers blockers) {
        blockers.learn(facts());
        if (blockers.isEmpty()) {
            noteUnblocked(false);
            acquireOrWaitForThreads();
        } else if (ConversionCircles.hasToGiveWay(read, own().row())) {
            drawAgain(read);
        } else {
            last = blockers.last();
            Stream.concat(blockers.choosing().stream(), last.stream())
                    .distinct()
                    .forEach(this::waitFor);
            blockedBy(blockers.inOrder());
        }
    }

    /** Threads that hold the lock with the handle's own slots say when they are in the way no longer. */
    private void acquireOrWaitForThreads() {
        if (foothold.isClear()) {
            acquired();
        } else {
            last = List.of();
            waitsForThreads();
            steps.pauseThen(context().sessionSettings().patience(), this::lookAgain);
        }
    }

    private void waitsForThreads() {
        if (waitsForThreadsSince == null) {
            waitsForThreadsSince = context().ticker().nanos();
        }
    }

    private void noteUnblocked(boolean told) {
        if (!unblocked) {
            unblocked = true;
            unblocked(told);
        }
    }

    /** Another thread that holds the lock with one of the handle's slots has released it, or has converted down. */
    void threadsHaveChanged() {
        Blockers known = blockers;
        if (known != null && known.isEmpty() && foothold.isClear()) {
            acquired();
            steps.abandon();
        }
    }

    /**
     * Rule 8: a conversion waits for this attempt, which waits for the handle of the conversion, or for another one that is
     * converted. Whoever holds nothing gives way: it goes to the end of the queue.
     */
    private void drawAgain(LockSlots read) {
        log.debug(
                "Lock '{}': attempt {} gives way to a conversion",
                lockId(),
                own().row().attempt());
        blockers = null;
        unblocked = false;
        last = List.of();
        SlotWrite ticketed = drawn(Bakery.nextTicket(read));
        write(ticketed, this::lookAtBlockers);
    }

    /**
     * A notice has come, and what it says is among the facts. If a blocker is over and one that it waited for is not, either it
     * has left the queue, or nobody has told that the other one is over: one read shows which.
     *
     * @param told whether by a notice; else by another slot of this process
     */
    void learned(boolean told) {
        Blockers known = blockers;
        List<Slot> asked = last;
        if (known != null && known.learn(facts())) {
            learned(known, told);
            if (asked.stream().anyMatch(slot -> !known.include(slot.id()) && known.isAheadOf(slot))) {
                steps.wake();
            }
        }
    }

    /** A session says that it has drawn this ticket in this attempt. */
    void heardTicket(SlotId slot, long attempt, long ticket) {
        Blockers known = blockers;
        if (known != null && known.drew(slot, attempt, ticket)) {
            learned(known, true);
        }
    }

    /** A session says that this attempt of its slot has a weaker mode now. */
    void heardMode(SlotId slot, long attempt, LockMode weaker) {
        Blockers known = blockers;
        if (known != null && known.weakened(slot, attempt, weaker)) {
            learned(known, true);
        }
    }

    /** Which of a read and a notice ends the wait makes no difference. A read under way is of no interest any more. */
    private void learned(Blockers blockers, boolean told) {
        if (blockers.isEmpty()) {
            noteUnblocked(told);
            if (foothold.isClear()) {
                acquired();
                steps.abandon();
            } else {
                waitsForThreads();
            }
        } else {
            List<Slot> before = last;
            last = blockers.last();
            last.stream().filter(slot -> !before.contains(slot)).forEach(this::waitFor);
        }
    }

    /** The blockers that no other one waits for: when they are over, so are all. */
    List<Slot> lastBlockers() {
        return last;
    }

    /** Asks the last blockers once more: a notice may have been lost. */
    void waitForLast() {
        last.forEach(this::waitFor);
    }

    /** The slots of this process learn without a notice when another one of them is over. */
    private void waitFor(Slot blocker) {
        if (context().exchangesNotices() && !isOwn(blocker)) {
            participant.notices().waitFor(blocker, own().row());
        }
    }

    /** Whether it is a slot of this attempt's session. */
    boolean isOwn(Slot other) {
        return isOwn(other.session());
    }

    boolean isOwn(UUID other) {
        return other.equals(own().row().session());
    }

    /** The session asked says that a thread of its process holds the lock. Of interest to an attempt that does not wait. */
    void heardHeld(long question) {}

    private void write(SlotWrite write, Runnable next) {
        steps.step(() -> partition.write(write), drawnAt -> {
            own().acknowledged(drawnAt);
            ifStillOwn(next);
        });
    }

    private void readWithOwnRow(Consumer<LockSlots> next) {
        read(read -> {
            if (Bakery.shows(read, own().row()) && foothold.isShownBy(read)) {
                ifStillOwn(() -> next.accept(read));
            } else {
                own().session().verify();
                end(new AttemptOutcome.SlotLost("its slot was evicted"));
            }
        });
    }

    void read(Consumer<LockSlots> next) {
        steps.step(partition::read, read -> {
            partition.saw(read, slot().map(present -> present.row().id()));
            if (partition.learnsFacts()) {
                facts().learn(read);
            }
            next.accept(read);
        });
    }

    LockFacts facts() {
        return partition.facts();
    }

    LockPartition partition() {
        return partition;
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
        log.debug(
                "Lock '{}': nobody is ahead of attempt {} of session {}",
                lockId(),
                own().row().attempt(),
                own().row().session());
        end(
                own().isValid()
                        ? new AttemptOutcome.Acquired(
                                own(),
                                contended,
                                Duration.ofNanos(context().ticker().nanos() - announcedAt))
                        : new AttemptOutcome.SlotLost("its lease ran out before the lock was won"));
    }

    private void end(AttemptOutcome how) {
        if (!ended) {
            ended = true;
            watch.end();
            events.ended(how);
        }
    }

    /** Whether the write of its ticket was acknowledged. */
    boolean hasTicket() {
        return ticketed;
    }

    LockMode mode() {
        return mode;
    }

    /** Whether it converts a handle up. */
    boolean isConversion() {
        return foothold != Foothold.NONE;
    }

    Participant participant() {
        return participant;
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

    /** Whether what it has written, or would replace, belongs to that session. */
    boolean isLostWith(OwnSession session) {
        return toClean().filter(present -> present.belongsTo(session)).isPresent();
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

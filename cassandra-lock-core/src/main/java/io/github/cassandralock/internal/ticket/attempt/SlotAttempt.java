package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.rows.Blockers;
import io.github.cassandralock.internal.ticket.rows.ConversionCycles;
import io.github.cassandralock.internal.ticket.rows.LockFacts;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of this process's session to acquire a lock (protocol, section 2). Each step is one method. W1 writes the row without
 * a ticket. R1 reads the other rows. W2 writes the ticket. R reads until no blocker is left. Runs in the lock's mailbox.
 */
public abstract class SlotAttempt {

    /*
     * Each session reads only after a quorum has acknowledged its write. Therefore, of two sessions that request the lock at one
     * time, at least one reads the other's row.
     */

    private static final Logger log = LoggerFactory.getLogger(SlotAttempt.class);

    private final SlotNotices notices;
    private final LockPartition partition;
    private final Claim claim;
    private final Consumer<Report> reports;
    private final AttemptSteps steps;
    private final Sharers sharers;
    private final LastBlockers lastBlockers;
    private final BlockerWatch watch;
    private final Optional<OwnRow> replaced;

    /** Null before the first R. */
    private @Nullable Blockers blockers;

    private boolean contended;
    private boolean ticketed;
    private boolean hasTurn;

    private long announcedAt;
    private boolean ended;

    /**
     * @param notices of the slot with which it is made
     * @param sharersGone whether no other holder of a slot of the claim's handle is in the way
     * @param replaced the row from an earlier use, if it has not been released; W1 replaces it
     * @param reports receives what steps of the attempt have done, in the lock's mailbox
     */
    SlotAttempt(
            SlotNotices notices,
            Claim claim,
            boolean sharersGone,
            Optional<OwnRow> replaced,
            Consumer<Report> reports) {
        this.notices = notices;
        this.partition = notices.partition();
        this.claim = claim;
        this.replaced = replaced;
        this.reports = reports;
        this.steps = new AttemptSteps(partition, claim, this::end);
        this.sharers = new Sharers(context().ticker(), sharersGone);
        this.lastBlockers = new LastBlockers(notices, steps);
        this.watch = new BlockerWatch(partition, steps::wake);
    }

    /** Begins. Called once. */
    public abstract void start();

    /**
     * RETICKET: one write releases the previous attempt and begins this attempt with a ticket (notices, section 4).
     *
     * @param promised the row of this attempt, as the previous attempt promised it
     */
    public void startWithReticket(OwnRow promised) {
        announcedAt = context().ticker().nanos();
        steps.begin(promised);
        log.debug(
                "Lock '{}': session {} queues again with ticket {}, in attempt {}",
                lockId(),
                promised.session().id(),
                promised.slot().ticket(),
                promised.slot().attempt());
        steps.write(promised.firstWrite(), () -> {
            ticketed = true;
            lookAtBlockers();
        });
    }

    /** Only pauses, because the previous attempt failed. After the pause, the requests begin with another attempt. */
    public void pause(Duration pause) {
        steps.pauseThen(pause, () -> reports.accept(new Report.PauseOver()));
    }

    /** Called when a quorum has acknowledged the ticket. The subclass decides when to read the blockers. */
    abstract void ticketAcknowledged(List<Slot> conflicting);

    /** Called when R showed these blockers. The subclass decides whether to wait. */
    abstract void blockedBy(List<Slot> blockers);

    /** Called when the last blocker is gone. */
    abstract void turnCame(TurnSource source);

    /** Why the lock is not acquired yet: the store fails, or another slot is ahead. May be called from any thread. */
    public Optional<Obstacle> obstacle() {
        return steps.lastFailure()
                .<Obstacle>map(Obstacle.StoreFails::new)
                .or(sharers::obstacle)
                .or(this::firstBlocker);
    }

    /** The first blocker; empty as long as no read has shown one. May be called from any thread. */
    Optional<Obstacle> firstBlocker() {
        return Optional.empty();
    }

    /** Stops without an outcome. The row that it may have written is still there: {@link #rowToRelease()}. */
    public void abandon() {
        ended = true;
        steps.abandon();
        watch.end();
    }

    /** Stops without an outcome, because the callers have given up. */
    public void cancel() {
        abandon();
    }

    /** W1. Opens a session first, if there is none. Nothing is written for a session that was lost in the meantime. */
    void announce() {
        steps.withSession(this::announce);
    }

    private void announce(OwnSession session) {
        announcedAt = context().ticker().nanos();
        OwnRow own =
                new OwnRow(context(), session, notices.id(session), claim.mode(), claim.baseNumber(), claim.permits());
        steps.begin(own);
        log.debug(
                "Lock '{}': session {} announces attempt {}",
                lockId(),
                session.id(),
                own.slot().attempt());
        steps.write(own.firstWrite(), this::lookForOthers);
    }

    /** R1. */
    private void lookForOthers() {
        steps.readWithOwnRow(read -> {
            List<Slot> conflicting = conflicting(read);
            contended = contended || claim.isContended(conflicting, steps, partition);
            claim.warnIfPermitsDiffer(conflicting, partition);
            List<Slot> blocking = claim.countedByR1(conflicting, partition);
            if (sharers.areGone() && claim.hasRoomBeside(blocking)) {
                end(acquired(blocking));
            } else {
                drawTicket(Bakery.nextTicket(read), conflicting);
            }
        });
    }

    /** W2. */
    private void drawTicket(long ticket, List<Slot> conflicting) {
        log.debug(
                "Lock '{}': ticket {} drawn; {} others hold or request the lock", lockId(), ticket, conflicting.size());
        OwnRow.Write write = recordTicket(ticket);
        steps.write(write, () -> {
            ticketed = true;
            ticketAcknowledged(conflicting);
        });
    }

    private OwnRow.Write recordTicket(long ticket) {
        OwnRow.Write write = own().ticketWrite(ticket);
        facts().ticketSeen(ticket);
        reports.accept(new Report.TicketDrawn(own().slot()));
        if (context().exchangesNotices()) {
            notices.sendTicket(own().slot());
        }
        return write;
    }

    /** R, for the first time: this read shows the blockers. */
    void lookAtBlockers() {
        steps.readWithOwnRow(read -> {
            List<Slot> conflicting = conflicting(read);
            contended = contended || claim.isContended(conflicting, steps, partition);
            blockers = new Blockers(conflicting, own().slot());
            decideByRead(read, blockers);
        });
    }

    private List<Slot> conflicting(LockSlots read) {
        return claim.conflicting(read, own().slot().id(), partition);
    }

    /** R, repeated. A session that one read did not show as a blocker never blocks this attempt again. */
    void lookAtBlockersAgain() {
        Optional<DeadSession> died = watch.nextDead();
        if (died.isEmpty()) {
            Blockers present = Objects.requireNonNull(blockers, "no read has shown blockers yet");
            steps.readWithOwnRow(read -> {
                present.applyRead(read);
                decideByRead(read, present);
            });
        } else {
            steps.step(() -> partition.evict(died.get()), eviction -> {
                BackgroundEviction.watchOthers(partition, eviction);
                lookAtBlockersAgain();
            });
        }
    }

    private void decideByRead(LockSlots read, Blockers blockers) {
        blockers.apply(facts());
        if (blockers.isOwnTurn()) {
            noteTurn(TurnSource.READ);
            acquireOrWaitForThreads(blockers);
        } else if (ConversionCycles.hasToGiveWay(read, own().slot())) {
            redrawTicket(read);
        } else {
            lastBlockers.afterRead(blockers);
            blockedBy(blockers.inOrder());
        }
    }

    /** If threads share the claim's handle, pauses until {@link #sharersGone()} or the next read. */
    private void acquireOrWaitForThreads(Blockers blockers) {
        if (sharers.areGone()) {
            end(acquired(blockers.inOrder()));
        } else {
            lastBlockers.clear();
            sharers.markAwaited();
            steps.pauseThen(context().sessionSettings().patience(), this::lookAtBlockersAgain);
        }
    }

    private void noteTurn(TurnSource source) {
        if (!hasTurn) {
            hasTurn = true;
            turnCame(source);
        }
    }

    /**
     * Rule 8: a conversion waits for this attempt, which waits for a converted handle. The attempt holds nothing, so it goes to
     * the end of the queue.
     */
    private void redrawTicket(LockSlots read) {
        log.debug(
                "Lock '{}': attempt {} gives way to a conversion",
                lockId(),
                own().slot().attempt());
        blockers = null;
        hasTurn = false;
        lastBlockers.clear();
        OwnRow.Write write = recordTicket(Bakery.nextTicket(read));
        steps.write(write, this::lookAtBlockers);
    }

    /*
     * Events from outside. If an event ends the attempt, its method returns the outcome, and reports nothing.
     */

    /** Called when no other holder of a slot of the claim's handle conflicts with the claim any more. */
    public Optional<Outcome> sharersGone() {
        sharers.haveGone();
        Blockers present = blockers;
        return present != null && present.isOwnTurn() ? endUnreported(acquired(present.inOrder())) : Optional.empty();
    }

    /**
     * Called when the facts have changed. A blocker may be over before a slot that it waited for. The blocker has then left the
     * queue, or the notice about the other slot was lost: one read shows which.
     */
    public Optional<Outcome> factsReceived(TurnSource source) {
        Blockers present = blockers;
        List<Slot> before = lastBlockers.slots();
        if (present == null || !present.apply(facts())) {
            return Optional.empty();
        }
        Optional<Outcome> outcome = blockersChanged(present, source);
        if (before.stream().anyMatch(slot -> !present.contains(slot.id()) && present.areAheadOf(slot))) {
            steps.wake();
        }
        return outcome;
    }

    /** Called when the slot, of this or another process, has drawn this ticket in this attempt. */
    public Optional<Outcome> ticketReceived(SlotId slot, long attempt, long ticket, TurnSource source) {
        return changed(source, present -> present.ticketDrawn(slot, attempt, ticket));
    }

    /** Called when this attempt of the slot, of this or another process, has another mode now. */
    public Optional<Outcome> modeReceived(SlotId slot, long attempt, LockMode mode, TurnSource source) {
        return changed(source, present -> present.modeLowered(slot, attempt, mode));
    }

    /** @param change returns whether it changed the blockers */
    private Optional<Outcome> changed(TurnSource source, Predicate<Blockers> change) {
        Blockers present = blockers;
        return present != null && change.test(present) ? blockersChanged(present, source) : Optional.empty();
    }

    /** A notice or another slot of this process ends the wait, as a read does. The result of a read under way is ignored. */
    private Optional<Outcome> blockersChanged(Blockers blockers, TurnSource source) {
        if (!blockers.isOwnTurn()) {
            lastBlockers.afterChange(blockers);
            return Optional.empty();
        }
        noteTurn(source);
        if (sharers.areGone()) {
            return endUnreported(acquired(blockers.inOrder()));
        }
        sharers.markAwaited();
        return Optional.empty();
    }

    LastBlockers lastBlockers() {
        return lastBlockers;
    }

    /** Called when a session answers that one of its threads holds the lock. Only attempts that try use it. */
    public Optional<Outcome> heldAnswered(long question) {
        return Optional.empty();
    }

    LockFacts facts() {
        return partition.facts();
    }

    LockPartition partition() {
        return partition;
    }

    /** Checks the lease and the slot's deadline, because they may have ended during the winning read. */
    private Outcome acquired(List<Slot> ahead) {
        if (!ahead.isEmpty()) {
            BackgroundEviction.watchOne(partition, ahead, own().slot().attempt());
        }
        if (!own().isValid()) {
            return new Outcome.SlotLost("its lease ran out before the lock was won");
        }
        log.debug(
                "Lock '{}': attempt {} of session {} acquires the lock; {} others are ahead",
                lockId(),
                own().slot().attempt(),
                own().slot().session(),
                ahead.size());
        return new Outcome.Acquired(
                own(), contended, Duration.ofNanos(context().ticker().nanos() - announcedAt));
    }

    /** Ends the attempt between two of its steps, and returns the outcome. No further step follows. Empty if it had ended. */
    final Optional<Outcome> endUnreported(Outcome how) {
        boolean endsNow = !ended;
        abandon();
        return endsNow ? Optional.of(how) : Optional.empty();
    }

    /** Ends the attempt by a step of its own, which reports the outcome. */
    final void end(Outcome how) {
        if (!ended) {
            ended = true;
            watch.end();
            reports.accept(new Report.Ended(how));
        }
    }

    /** Whether the write of its ticket was acknowledged. */
    public boolean hasTicket() {
        return ticketed;
    }

    public LockMode mode() {
        return claim.mode();
    }

    /** Whether it converts a handle up. */
    public boolean isConversion() {
        return claim.isConversion();
    }

    public Claim claim() {
        return claim;
    }

    SlotNotices notices() {
        return notices;
    }

    BlockerWatch watch() {
        return watch;
    }

    /** The row of the attempt; empty before W1. */
    public Optional<OwnRow> row() {
        return steps.row();
    }

    /** The row that has to be released if the attempt fails. */
    public Optional<OwnRow> rowToRelease() {
        return row().or(() -> replaced);
    }

    String lockId() {
        return partition.lockId();
    }

    /** When W1 was begun; monotonic, in nanoseconds. */
    long announcedAt() {
        return announcedAt;
    }

    /** Whether the row that this attempt has written, or the row that it would replace, belongs to that session. */
    public boolean isLostWith(OwnSession session) {
        return rowToRelease().filter(present -> present.belongsTo(session)).isPresent();
    }

    private OwnRow own() {
        return steps.own();
    }

    AttemptSteps steps() {
        return steps;
    }

    TicketContext context() {
        return partition.context();
    }
}

package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.spi.Obstacle;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt on the slot is under way.
 *
 * @param requests that get the lock by this attempt, in the order of arrival
 */
record Acquiring(SlotAttempt attempt, List<TicketRequest> requests) implements SlotState {

    private static final Logger log = LoggerFactory.getLogger(Acquiring.class);

    public Acquiring {
        requests = List.copyOf(requests);
    }

    /** Begins an attempt for the request by W1. */
    static Acquiring started(TicketRequest request, Optional<OwnRow> replaced, LockView by) {
        return new Acquiring(by.start(request, replaced), List.of(request));
    }

    /** Begins an attempt for the request by RETICKET. */
    static Acquiring returned(TicketRequest request, OwnRow promised, LockView by) {
        return new Acquiring(by.startReturning(request, promised), List.of(request));
    }

    /** Whether the request may use the promised ticket. If not, it begins by W1. */
    static boolean mayReturn(TicketRequest request, OwnRow row) {
        return !request.tries()
                && !request.isConversion()
                && request.isFor(row.row().mode(), row.row().permits());
    }

    private TicketRequest first() {
        return requests.get(0);
    }

    private Acquiring with(TicketRequest request) {
        return new Acquiring(
                attempt, Stream.concat(requests.stream(), Stream.of(request)).toList());
    }

    private Acquiring without(TicketRequest request) {
        return new Acquiring(
                attempt, requests.stream().filter(other -> other != request).toList());
    }

    @Override
    public Optional<OwnRow> liveRow() {
        return attempt.row();
    }

    @Override
    public Optional<LockMode> usedMode() {
        return Optional.of(attempt.mode());
    }

    @Override
    public int usedPermits() {
        return attempt.claim().permits();
    }

    @Override
    public Optional<Obstacle> obstacle() {
        return attempt.obstacle();
    }

    @Override
    public boolean isConverted() {
        return attempt.isConversion();
    }

    @Override
    public boolean acquiresInConflict(LockMode mode) {
        return conflictsWith(mode);
    }

    @Override
    public boolean conflictsWithoutTicket(LockMode mode) {
        return conflictsWith(mode) && !attempt.hasTicket();
    }

    @Override
    public boolean mayJoin(TicketRequest request) {
        return attempt.mode() == request.mode()
                && !attempt.isConversion()
                && request.mode().isCompatibleWith(request.mode())
                && !request.tries()
                && !first().tries()
                && requests.size() < TicketSettings.TOKENS;
    }

    @Override
    public SlotState joined(TicketRequest request, LockView by) {
        return with(request);
    }

    /** If no other request waits with the attempt, the next request of this process inherits the attempt and its ticket. */
    @Override
    public SlotState cancelled(TicketRequest request, LockView by) {
        Acquiring others = without(request);
        Optional<TicketRequest> heir = request.tries() || request.isConversion() || !others.requests.isEmpty()
                ? Optional.empty()
                : by.takeHeir(request);
        Acquiring present = heir.map(others::with).orElse(others);
        return present.requests.isEmpty() ? cancelled(by) : present;
    }

    private SlotState cancelled(LockView by) {
        by.cancel(attempt);
        return vacated(by);
    }

    private SlotState vacated(LockView by) {
        return Vacant.after(attempt.rowToRelease(), by);
    }

    @Override
    public SlotState ended(Outcome outcome, LockView by) {
        if (outcome instanceof Outcome.Acquired acquired) {
            return acquired(by.hold(acquired), by);
        } else if (outcome instanceof Outcome.SlotLost lost) {
            return slotLost(lost.reason(), by);
        } else if (outcome instanceof Outcome.Failed failed) {
            return failed(failed.cause(), by);
        }
        return refused(by);
    }

    @Override
    public SlotState notified(Function<SlotAttempt, Optional<Outcome>> what, LockView by) {
        return what.apply(attempt).map(outcome -> ended(outcome, by)).orElse(this);
    }

    @Override
    public SlotState sharersGone(LockView by) {
        return attempt.isConversion() && by.isClear(first()) ? notified(SlotAttempt::sharersGone, by) : this;
    }

    private SlotState acquired(SlotHold hold, LockView by) {
        if (attempt.isConversion()) {
            by.completeConversion(first(), hold);
        } else {
            requests.forEach(request -> by.grant(request, hold));
        }
        return new Held(hold);
    }

    private SlotState refused(LockView by) {
        by.refuse(first());
        return vacated(by);
    }

    private SlotState slotLost(String reason, LockView by) {
        log.info("The attempt on lock '{}' starts over: {}", by.lockId(), reason);
        if (first().tries()) {
            return refused(by);
        }
        Optional<OwnRow> replaced = attempt.rowToRelease();
        replaced.ifPresent(by::sendOver);
        return new Acquiring(by.startAfterPause(first(), replaced), requests);
    }

    private SlotState failed(Throwable cause, LockView by) {
        by.fail(first(), cause);
        by.requeue(without(first()).requests);
        by.failLongWaiting(cause);
        return vacated(by);
    }

    /** The requests go back to the waiting list, because earlier requests that also begin again go first. */
    @Override
    public SlotState restarted(LockView by) {
        by.abandon(attempt);
        if (attempt.isConversion()) {
            return started(first(), attempt.rowToRelease(), by);
        }
        by.requeue(requests);
        return vacated(by);
    }

    @Override
    public SlotState restartedBehind(Predicate<TicketRequest> hasOneBefore, LockView by) {
        return !attempt.hasTicket()
                        && !attempt.isConversion()
                        && requests.stream().anyMatch(hasOneBefore)
                ? restarted(by)
                : this;
    }

    /** The attempt's requests begin again under a new session. A conversion fails, because its handle is lost. */
    @Override
    public SlotState sessionLost(OwnSession session, LockLoss loss, LockView by) {
        if (!attempt.isLostWith(session)) {
            return this;
        }
        by.abandon(attempt);
        if (attempt.isConversion()) {
            by.fail(first(), new IllegalStateException("the lock is lost: " + loss));
        } else {
            by.requeue(requests);
        }
        return Free.INSTANCE;
    }
}

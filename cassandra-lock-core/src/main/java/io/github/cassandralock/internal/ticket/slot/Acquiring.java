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
    static Acquiring start(TicketRequest request, Optional<OwnRow> replaced, LockAccess access) {
        return new Acquiring(access.start(request, replaced), List.of(request));
    }

    /** Begins an attempt for the request by RETICKET. */
    static Acquiring startWithReticket(TicketRequest request, OwnRow promised, LockAccess access) {
        return new Acquiring(access.startWithReticket(request, promised), List.of(request));
    }

    /** Whether the request may use the promised ticket. If not, it begins by W1. */
    static boolean mayReticket(TicketRequest request, OwnRow row) {
        return !request.tries()
                && !request.isConversion()
                && request.isFor(row.slot().mode(), row.slot().permits());
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
    public boolean isPartOfConversion() {
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
    public SlotState joined(TicketRequest request, LockAccess access) {
        return with(request);
    }

    /** If no other request waits with the attempt, the next request of this process inherits the attempt and its ticket. */
    @Override
    public SlotState cancelled(TicketRequest request, LockAccess access) {
        Acquiring others = without(request);
        Optional<TicketRequest> heir = request.tries() || request.isConversion() || !others.requests.isEmpty()
                ? Optional.empty()
                : access.takeHeir(request);
        Acquiring present = heir.map(others::with).orElse(others);
        return present.requests.isEmpty() ? cancelled(access) : present;
    }

    private SlotState cancelled(LockAccess access) {
        access.cancel(attempt);
        return vacated(access);
    }

    private SlotState vacated(LockAccess access) {
        return Vacant.withOverSent(attempt.rowToRelease(), access);
    }

    @Override
    public SlotState ended(Outcome outcome, LockAccess access) {
        if (outcome instanceof Outcome.Acquired acquired) {
            return acquired(access.hold(acquired), access);
        } else if (outcome instanceof Outcome.SlotLost lost) {
            return slotLost(lost.reason(), access);
        } else if (outcome instanceof Outcome.Failed failed) {
            return failed(failed.cause(), access);
        }
        return refused(access);
    }

    @Override
    public SlotState notified(Function<SlotAttempt, Optional<Outcome>> what, LockAccess access) {
        return what.apply(attempt).map(outcome -> ended(outcome, access)).orElse(this);
    }

    @Override
    public SlotState sharersChanged(LockAccess access) {
        return attempt.isConversion() && access.areSharersGone(first())
                ? notified(SlotAttempt::sharersGone, access)
                : this;
    }

    private SlotState acquired(SlotHold hold, LockAccess access) {
        if (attempt.isConversion()) {
            access.completeConversion(first(), hold);
        } else {
            requests.forEach(request -> access.grant(request, hold));
        }
        return new Held(hold);
    }

    private SlotState refused(LockAccess access) {
        access.refuse(first());
        return vacated(access);
    }

    private SlotState slotLost(String reason, LockAccess access) {
        log.info("The attempt on lock '{}' starts over: {}", access.lockId(), reason);
        if (first().tries()) {
            return refused(access);
        }
        Optional<OwnRow> replaced = attempt.rowToRelease();
        replaced.ifPresent(access::sendOver);
        return new Acquiring(access.startAfterPause(first(), replaced), requests);
    }

    private SlotState failed(Throwable cause, LockAccess access) {
        access.fail(first(), cause);
        access.requeue(without(first()).requests);
        access.failLongWaiting(cause);
        return vacated(access);
    }

    /** The requests go back to the waiting list, because earlier requests that also begin again go first. */
    @Override
    public SlotState restarted(LockAccess access) {
        access.abandon(attempt);
        if (attempt.isConversion()) {
            return start(first(), attempt.rowToRelease(), access);
        }
        access.requeue(requests);
        return vacated(access);
    }

    @Override
    public SlotState restartedBehind(Predicate<TicketRequest> hasOneBefore, LockAccess access) {
        return !attempt.hasTicket()
                        && !attempt.isConversion()
                        && requests.stream().anyMatch(hasOneBefore)
                ? restarted(access)
                : this;
    }

    /** The attempt's requests begin again under a new session. A conversion fails, because its handle is lost. */
    @Override
    public SlotState sessionLost(OwnSession session, LockLoss loss, LockAccess access) {
        if (!attempt.isLostWith(session)) {
            return this;
        }
        access.abandon(attempt);
        if (attempt.isConversion()) {
            access.fail(first(), new IllegalStateException("the lock is lost: " + loss));
        } else {
            access.requeue(requests);
        }
        return Free.INSTANCE;
    }
}

package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.ContentionWatch;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process uses one of its slots in a lock for. For each event, a method returns the slot's next state. An event that a
 * state does not override came too late, and changes nothing.
 */
public sealed interface SlotState
        permits SlotState.Free,
                Acquiring,
                Held,
                SlotState.Kept,
                SlotState.Promised,
                Vacant,
                SlotState.Releasing,
                LeftBehind {

    // Questions

    /** The row of the present attempt, if that attempt has drawn its number and is not over. */
    default Optional<OwnRow> liveRow() {
        return Optional.empty();
    }

    /** The row of the present attempt, if this process has to keep it from expiring. */
    default Optional<OwnRow> rowToRefresh() {
        return liveRow();
    }

    /** The row of the present attempt, if it is kept or promised, and no thread of this process uses it. */
    default Optional<OwnRow> unusedRow() {
        return Optional.empty();
    }

    /** The mode in which threads of this process request or hold the lock with this slot; empty if none does. */
    default Optional<LockMode> usedMode() {
        return Optional.empty();
    }

    /** With how many permits a thread of this process requests or holds the lock with this slot. */
    default int usedPermits() {
        return 1;
    }

    /** The hold. To be called only while a thread holds the lock with the slot. */
    default SlotHold held() {
        throw new IllegalStateException("no thread holds the lock with a slot that is " + this);
    }

    /** Whether the handle holds the lock with the slot. */
    default boolean isUsedBy(TicketHandle handle) {
        return false;
    }

    /** The listeners of those who hold the lock with the slot; empty if no holder listens. */
    default Optional<ContentionWatch> contention() {
        return Optional.empty();
    }

    /** What keeps other requests of this process from the lock, as far as this slot shows. May be called from any thread. */
    default Optional<Obstacle> obstacle() {
        return Optional.empty();
    }

    /** Whether an attempt may begin with the slot at once. */
    default boolean isFree() {
        return false;
    }

    /** Whether the slot still excludes others after the process has ended. */
    default boolean isLeftBehind() {
        return false;
    }

    /** Whether the end of the process does not wait for the slot. */
    default boolean mayOutlastProcess() {
        return isFree() || isLeftBehind();
    }

    /** Whether the slot excludes others regardless of their notices. */
    default boolean staysTaken() {
        return false;
    }

    /** Whether a conversion uses the slot. */
    default boolean isPartOfConversion() {
        return false;
    }

    /** Whether a thread requests or holds the lock with this slot in a mode that conflicts with the given mode. */
    default boolean conflictsWith(LockMode mode) {
        return usedMode().filter(used -> !used.isCompatibleWith(mode)).isPresent();
    }

    /** Whether a thread waits with this slot in a mode that conflicts with the given mode. */
    default boolean acquiresInConflict(LockMode mode) {
        return false;
    }

    /** Whether a thread waits with this slot in a conflicting mode, and has no certain place in the queue yet. */
    default boolean conflictsWithoutTicket(LockMode mode) {
        return false;
    }

    /**
     * Whether threads get the slot one after the other in this mode and with these permits. Then the next one may have to wait.
     */
    default boolean servesOneAtATime(LockMode mode, int permits) {
        return !mode.isCompatibleWith(mode)
                && !isPartOfConversion()
                && usedPermits() == permits
                && usedMode().filter(mode::equals).isPresent();
    }

    /** Whether the request may share the lock with the present holders of this slot. */
    default boolean mayShare(TicketRequest request) {
        return false;
    }

    /** Whether the request may wait together with the requests that wait with this slot. */
    default boolean mayJoin(TicketRequest request) {
        return false;
    }

    /** The requests that wait with this slot. */
    default List<TicketRequest> requests() {
        return List.of();
    }

    /** Whether no thread uses the slot, and it is kept, or promised, as the request needs it. */
    default boolean isReservedFor(TicketRequest request) {
        return unusedRow()
                .filter(own -> request.isFor(own.slot().mode(), own.slot().permits()))
                .isPresent();
    }

    /** Whether the request gets the lock with the slot without a write. */
    default boolean isKeptFor(TicketRequest request) {
        return false;
    }

    /** Whether no thread uses the slot, and it is kept, or promised, in a mode that conflicts. */
    default boolean isReservedInConflict(LockMode mode) {
        return unusedRow()
                .filter(own -> !own.slot().mode().isCompatibleWith(mode))
                .isPresent();
    }

    /** Whether one write may release this slot and begin its next attempt. */
    default boolean isReplaceable() {
        return false;
    }

    /** The row of the present attempt, if that attempt belongs to the given session and is not over. */
    default Optional<OwnRow> live(OwnSession own) {
        return liveRow().filter(row -> row.belongsTo(own));
    }

    // Events. Each returns the next state

    /** A request begins with the slot. */
    default SlotState taken(TicketRequest request, LockAccess access) {
        throw new IllegalStateException("no request may take a slot that is " + this);
    }

    /** A request shares the slot with its holders, or waits together with the requests that wait with it. */
    default SlotState joined(TicketRequest request, LockAccess access) {
        throw new IllegalStateException("no request may join a slot that is " + this);
    }

    /** The caller of a request that waits with the slot does not wait for it any longer. */
    default SlotState cancelled(TicketRequest request, LockAccess access) {
        return this;
    }

    /** The attempt has ended by a step of its own. */
    default SlotState ended(Outcome outcome, LockAccess access) {
        return this;
    }

    /**
     * Something has happened that the attempt may have waited for.
     *
     * @param what the event of the attempt, which may end it
     */
    default SlotState notified(Function<SlotAttempt, Optional<Outcome>> what, LockAccess access) {
        return this;
    }

    /** Sharers of a handle's slots have gone, or need a weaker mode. A conversion may have waited for them. */
    default SlotState sharersChanged(LockAccess access) {
        return this;
    }

    /** The pause of an attempt that only pauses is over. */
    default SlotState restarted(LockAccess access) {
        return this;
    }

    /**
     * Earlier requests have lost their tickets. Requests that have no ticket yet, and have to come after one of them, begin again.
     *
     * @param hasOneBefore whether a conflicting request that waits for a slot comes before the given request
     */
    default SlotState restartedBehind(Predicate<TicketRequest> hasOneBefore, LockAccess access) {
        return this;
    }

    /** The holder of a handle with this slot alone has released it. The next request of this process may get the slot. */
    default SlotState handleReleased(TicketHandle handle, LockAccess access) {
        return this;
    }

    /** The handle no longer uses the slot. No other request may inherit the hold. */
    default SlotState withdrawn(TicketHandle handle, LockAccess access) {
        return this;
    }

    /** A handle may need less of the slot than before. The slot gets the least mode that its handles need. */
    default SlotState lowered(LockAccess access) {
        return this;
    }

    /** No handle uses the hold any more, and no request may inherit it. */
    default SlotState vacated(SlotHold over, LockAccess access) {
        return this;
    }

    /** The reservation of a kept or promised slot ends, because its time is over or another request needs the lock. */
    default SlotState reservationEnded(LockAccess access) {
        return unusedRow().isPresent() ? Vacant.withOverSent(unusedRow(), access) : this;
    }

    /** Another session requests the lock. */
    default SlotState requestedElsewhere(LockAccess access) {
        return this;
    }

    /** A refresh was tried, and the row may have expired. */
    default SlotState expired(LockAccess access) {
        return this;
    }

    /** The next request of this process may get the slot without a write. */
    default SlotState handedOver(LockAccess access) {
        return this;
    }

    /** The event has ended, and no request has taken the slot. A vacant slot is then promised, kept or released. */
    default SlotState settled(LockAccess access) {
        return this;
    }

    /** The write that releases the slot is acknowledged, or left to other sessions. */
    default SlotState releaseEnded(LockAccess access) {
        return this;
    }

    /** The process ends, and the handle with this row stays taken for at least this long. */
    default SlotState leftBehind(OwnRow row, TicketHandle handle, Duration atLeast, LockAccess access) {
        return this;
    }

    /** An operator takes the lock away from those who hold it by exactly this attempt. */
    default SlotState forceReleased(OwnSession session, long attempt, LockLoss loss, LockAccess access) {
        return this;
    }

    /** A session of this process is lost. */
    default SlotState sessionLost(OwnSession session, LockLoss loss, LockAccess access) {
        return liveRow().filter(row -> row.belongsTo(session)).isPresent() ? Free.INSTANCE : this;
    }

    /** This process does not use the slot. No row was written, or the row is released, or other processes evict it. */
    record Free() implements SlotState {

        public static final SlotState INSTANCE = new Free();

        @Override
        public boolean isFree() {
            return true;
        }

        @Override
        public SlotState taken(TicketRequest request, LockAccess access) {
            return Acquiring.start(request, Optional.empty(), access);
        }
    }

    /** No thread holds the lock. The slot stays unreleased for a while, for the next thread of this process. */
    record Kept(SlotHold hold) implements SlotState {

        private static final Logger log = LoggerFactory.getLogger(Kept.class);

        @Override
        public Optional<OwnRow> liveRow() {
            return Optional.of(hold.row());
        }

        @Override
        public Optional<OwnRow> unusedRow() {
            return liveRow();
        }

        @Override
        public SlotState taken(TicketRequest request, LockAccess access) {
            if (isKeptFor(request)) {
                log.debug("Lock '{}': had been kept, and is granted without a request", access.lockId());
                access.grant(request, hold);
                return new Held(hold);
            }
            access.sendOver(hold.row());
            return Acquiring.start(request, liveRow(), access);
        }

        @Override
        public boolean isKeptFor(TicketRequest request) {
            return request.isFor(hold.mode(), hold.permits()) && hold.mayBeKept();
        }

        @Override
        public SlotState requestedElsewhere(LockAccess access) {
            access.context().recentReleases().forget(access.lockId());
            return reservationEnded(access);
        }

        @Override
        public SlotState expired(LockAccess access) {
            return hold.row().isExpired() ? reservationEnded(access) : this;
        }
    }

    /**
     * The hold is over. This attempt was promised to waiting sessions in its place, and begins if a thread soon requests the
     * lock.
     */
    record Promised(OwnRow promised) implements SlotState {

        @Override
        public Optional<OwnRow> liveRow() {
            return Optional.of(promised);
        }

        @Override
        public Optional<OwnRow> rowToRefresh() {
            return Optional.empty();
        }

        @Override
        public Optional<OwnRow> unusedRow() {
            return liveRow();
        }

        @Override
        public SlotState taken(TicketRequest request, LockAccess access) {
            if (Acquiring.mayReticket(request, promised)) {
                return Acquiring.startWithReticket(request, promised, access);
            }
            access.sendOver(promised);
            return Acquiring.start(request, liveRow(), access);
        }
    }

    /** No thread requests the slot. The write that releases it is not acknowledged yet. */
    record Releasing(OwnRow row) implements SlotState {

        @Override
        public boolean isReplaceable() {
            return true;
        }

        @Override
        public SlotState taken(TicketRequest request, LockAccess access) {
            return Acquiring.start(request, Optional.of(row), access);
        }

        @Override
        public SlotState releaseEnded(LockAccess access) {
            return Free.INSTANCE;
        }

        @Override
        public SlotState sessionLost(OwnSession session, LockLoss loss, LockAccess access) {
            return row.belongsTo(session) ? Free.INSTANCE : this;
        }
    }
}

package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process uses one of its slots in a lock for. The state decides what becomes of the slot: a method for each event returns the
 * next state. An event that a state does not mention came too late, and changes nothing.
 */
public sealed interface SlotState
        permits SlotState.Free,
                Acquiring,
                Held,
                SlotState.Kept,
                SlotState.Promised,
                Vacant,
                SlotState.Releasing,
                SlotState.LeftBehind {

    // Questions

    /** The slot of the present attempt, if there is one that is not over and has drawn its number. */
    Optional<OwnRow> liveSlot();

    /** The slot of the present attempt, if this process has to keep its row from expiring. */
    default Optional<OwnRow> writtenSlot() {
        return liveSlot();
    }

    /** The slot of the present attempt, if it is kept or promised, and no thread of this process uses it. */
    default Optional<OwnRow> unusedSlot() {
        return Optional.empty();
    }

    /** How a thread of this process requests or holds the lock with this slot; empty if none does. */
    default Optional<LockMode> usedMode() {
        return Optional.empty();
    }

    /** The hold, if a thread holds the lock with the slot. */
    default Optional<SlotHold> held() {
        return Optional.empty();
    }

    /** The attempt with which a thread of this process waits. */
    default Optional<SlotAttempt> underWay() {
        return Optional.empty();
    }

    /** The conversion that waits with the slot. */
    default Optional<TicketRequest> conversion() {
        return Optional.empty();
    }

    /** Whether nothing is to be done before an attempt begins with the slot. */
    default boolean isFree() {
        return false;
    }

    /** Whether the slot keeps others out although the process ends. */
    default boolean isLeftBehind() {
        return false;
    }

    /** Whether the slot keeps others out whatever they ask. */
    default boolean staysTaken() {
        return false;
    }

    /** Whether a conversion uses the slot. */
    default boolean isConverted() {
        return false;
    }

    /** Whether a thread requests or holds the lock with this slot in a mode that conflicts with this one. */
    default boolean conflictsWith(LockMode mode) {
        return usedMode().filter(used -> !used.isCompatibleWith(mode)).isPresent();
    }

    /** Whether a thread waits with this slot in a mode that conflicts with this one. */
    default boolean acquiresInConflict(LockMode mode) {
        return false;
    }

    /** Whether a thread waits with this slot in a mode that conflicts, and its place in the queue is not certain yet. */
    default boolean conflictsWithoutTicket(LockMode mode) {
        return false;
    }

    /** Whether threads get the slot one after the other in this mode, so that the next one has to wait for it. */
    default boolean servesOneAtATime(LockMode mode) {
        return !mode.isCompatibleWith(mode)
                && !isConverted()
                && usedMode().filter(mode::equals).isPresent();
    }

    /** Whether this request may hold the lock together with those that hold it with this slot. */
    default boolean mayShare(TicketRequest request) {
        return false;
    }

    /**
     * Whether this request may wait for the lock together with those that wait with this slot.
     *
     * @param maxDuration for how long after the first request others may come, because other sessions may wait behind the slot
     */
    default boolean mayJoin(TicketRequest request, Duration maxDuration) {
        return false;
    }

    /** The requests that wait with this slot. */
    default List<TicketRequest> requests() {
        return List.of();
    }

    /** Whether no thread uses the slot, and it is kept, or promised, in this mode. */
    default boolean isReservedIn(LockMode mode) {
        return unusedSlot().filter(slot -> slot.row().mode() == mode).isPresent();
    }

    /** Whether no thread uses the slot, and it is kept, or promised, in a mode that conflicts with this one. */
    default boolean isReservedInConflict(LockMode mode) {
        return unusedSlot()
                .filter(slot -> !slot.row().mode().isCompatibleWith(mode))
                .isPresent();
    }

    /** Whether a write that begins an attempt with this slot spares the write that releases it. */
    default boolean isReplaceable() {
        return false;
    }

    /** Whether this row is left behind, and for less long than until this time. */
    default boolean mayStayLonger(OwnRow row, long later) {
        return false;
    }

    /** The present attempt, if a session of another process is right in taking it for the one that it waits for. */
    default Optional<OwnRow> live(OwnSession own) {
        return liveSlot().filter(slot -> slot.belongsTo(own));
    }

    // Events. Each returns the next state

    /** A request begins with the slot. */
    default SlotState taken(TicketRequest request, LockView by) {
        throw new IllegalStateException("no request may take a slot that is " + this);
    }

    /** A request shares the slot with those that hold it, or waits together with those that wait with it. */
    default SlotState joined(TicketRequest request, LockView by) {
        throw new IllegalStateException("no request may join a slot that is " + this);
    }

    /** The caller of a request that waits with the slot does not wait for it any longer. */
    default SlotState cancelled(TicketRequest request, LockView by) {
        return this;
    }

    /** The attempt has ended. */
    default SlotState ended(Outcome outcome, LockView by) {
        return this;
    }

    /** The pause before the attempt is over. */
    default SlotState restarted(LockView by) {
        return this;
    }

    /**
     * Earlier requests have lost their tickets. Requests that have no ticket yet, and have to come after one of them, begin again.
     *
     * @param hasOneBefore whether the request has to come after one of those that wait for a slot
     */
    default SlotState restartedBehind(Predicate<TicketRequest> hasOneBefore, LockView by) {
        return this;
    }

    /** The holder of the handle has released it. The next request of this process may get the slot. */
    default SlotState released(TicketHandle handle) {
        return this;
    }

    /** The handle no longer uses the slot. No other request may inherit the hold. */
    default SlotState withdrawn(TicketHandle handle, LockView by) {
        return this;
    }

    /** Nobody uses the hold any more, and no request is to inherit it. */
    default SlotState vacated(SlotHold over, LockView by) {
        return this;
    }

    /** The reservation of a slot that is kept or promised ends: its time is over, or another request needs the lock. */
    default SlotState unreserved(LockView by) {
        return this;
    }

    /** Another session requests the lock. */
    default SlotState requestedElsewhere(LockView by) {
        return this;
    }

    /** A refresh was tried, and the row may have expired. */
    default SlotState expired(LockView by) {
        return this;
    }

    /** The next request of this process may get the slot as it is. */
    default SlotState handedOver(LockView by) {
        return this;
    }

    /** The event is at its end, and no request has taken the slot. */
    default SlotState settled(LockView by) {
        return this;
    }

    /** A session of this process is lost. Holders are told elsewhere: it concerns all slots of their handles. */
    default SlotState sessionLost(OwnSession session, LockLoss loss, LockView by) {
        return liveSlot().filter(row -> row.belongsTo(session)).isPresent() ? Free.INSTANCE : this;
    }

    /** This process uses no slot: it has none, has released it, or leaves it to other processes to evict. */
    record Free() implements SlotState {

        public static final SlotState INSTANCE = new Free();

        @Override
        public boolean isFree() {
            return true;
        }

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.empty();
        }

        @Override
        public SlotState taken(TicketRequest request, LockView by) {
            return Acquiring.started(request, Optional.empty(), by);
        }
    }

    /** No thread holds the lock. The slot stays as it is for a while, for the next thread of this process. */
    record Kept(SlotHold hold) implements SlotState {

        private static final Logger log = LoggerFactory.getLogger(Kept.class);

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.of(hold.row());
        }

        @Override
        public Optional<OwnRow> unusedSlot() {
            return liveSlot();
        }

        @Override
        public SlotState taken(TicketRequest request, LockView by) {
            if (mayServe(request)) {
                log.debug("Lock '{}': had been kept, and is granted without a request", by.lockId());
                by.grant(request, hold);
                return new Held(hold);
            }
            by.sendOver(hold.row());
            return Acquiring.started(request, liveSlot(), by);
        }

        private boolean mayServe(TicketRequest request) {
            return hold.mode() == request.mode() && hold.mayBeKept();
        }

        @Override
        public SlotState unreserved(LockView by) {
            return Vacant.after(liveSlot(), by);
        }

        @Override
        public SlotState requestedElsewhere(LockView by) {
            by.context().recentReleases().forget(by.lockId());
            return unreserved(by);
        }

        @Override
        public SlotState expired(LockView by) {
            return hold.row().isExpired() ? unreserved(by) : this;
        }
    }

    /** The hold is over, and others know that this attempt replaces it, if a thread wants the lock again soon. */
    record Promised(OwnRow promised) implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.of(promised);
        }

        @Override
        public Optional<OwnRow> writtenSlot() {
            return Optional.empty();
        }

        @Override
        public Optional<OwnRow> unusedSlot() {
            return liveSlot();
        }

        @Override
        public SlotState taken(TicketRequest request, LockView by) {
            if (Acquiring.mayReturn(request, promised)) {
                return Acquiring.returned(request, promised, by);
            }
            by.sendOver(promised);
            return Acquiring.started(request, liveSlot(), by);
        }

        @Override
        public SlotState unreserved(LockView by) {
            return Vacant.after(liveSlot(), by);
        }
    }

    /** No thread requests the slot. The write that releases it is not acknowledged yet. */
    record Releasing(OwnRow row) implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.empty();
        }

        @Override
        public boolean isReplaceable() {
            return true;
        }

        @Override
        public SlotState taken(TicketRequest request, LockView by) {
            return Acquiring.started(request, Optional.of(row), by);
        }

        @Override
        public SlotState sessionLost(OwnSession session, LockLoss loss, LockView by) {
            return row.belongsTo(session) ? Free.INSTANCE : this;
        }
    }

    /**
     * The process ends, and the slot outlives it: it keeps others out, and is neither refreshed nor given up any more.
     *
     * @param until by the process's clock
     */
    record LeftBehind(OwnRow slot, long until) implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.of(slot);
        }

        @Override
        public Optional<OwnRow> writtenSlot() {
            return Optional.empty();
        }

        @Override
        public Optional<LockMode> usedMode() {
            return Optional.of(slot.row().mode());
        }

        @Override
        public boolean isLeftBehind() {
            return true;
        }

        @Override
        public boolean staysTaken() {
            return true;
        }

        @Override
        public boolean mayStayLonger(OwnRow row, long later) {
            return row == slot && until - later < 0;
        }
    }
}

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.internal.ticket.table.SlotRelease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What this process uses one of its slots in a lock for. */
sealed interface SlotState {

    /** The slot of the present attempt, if there is one that is not over and has drawn its number. */
    Optional<OwnRow> liveSlot();

    /** The same, if the attempt has begun to write. */
    default Optional<OwnRow> writtenSlot() {
        return liveSlot();
    }

    /** The same, if no thread of this process wants it. */
    default Optional<OwnRow> unusedSlot() {
        return Optional.empty();
    }

    /** How a thread of this process requests or holds the lock with this slot; empty if none does. */
    default Optional<LockMode> usedMode() {
        return Optional.empty();
    }

    default boolean isFree() {
        return false;
    }

    default boolean isLeftBehind() {
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

    /** The present attempt, if a session of another process is right in taking it for the one that it waits for. */
    default Optional<OwnRow> live(OwnSession own) {
        return liveSlot().filter(slot -> slot.belongsTo(own));
    }

    /** This process uses no slot: it has none, has released it, or leaves it to other processes to evict. */
    record Free() implements SlotState {

        @Override
        public boolean isFree() {
            return true;
        }

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.empty();
        }
    }

    /**
     * An attempt is under way.
     *
     * @param requests that get the lock by it, in the order of arrival
     * @param since when the first thread arrived that waited with it, also if that one has given up
     */
    record Acquiring(SlotAttempt attempt, List<TicketRequest> requests, long since) implements SlotState {

        static Acquiring begun(SlotAttempt attempt, List<TicketRequest> requests) {
            return new Acquiring(attempt, requests, requests.get(0).arrivedAt());
        }

        public Acquiring {
            requests = List.copyOf(requests);
        }

        TicketRequest first() {
            return requests.get(0);
        }

        Acquiring with(TicketRequest request) {
            return new Acquiring(
                    attempt,
                    Stream.concat(requests.stream(), Stream.of(request)).toList(),
                    since);
        }

        Acquiring without(TicketRequest request) {
            return new Acquiring(
                    attempt, requests.stream().filter(other -> other != request).toList(), since);
        }

        @Override
        public Optional<OwnRow> liveSlot() {
            return attempt.slot();
        }

        @Override
        public Optional<LockMode> usedMode() {
            return Optional.of(attempt.mode());
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
        public boolean mayJoin(TicketRequest request, Duration maxDuration) {
            return attempt.mode() == request.mode()
                    && !attempt.isConversion()
                    && request.mode().isCompatibleWith(request.mode())
                    && !request.tries()
                    && !first().tries()
                    && requests.size() < TicketSettings.TOKENS
                    && request.arrivedAt() - since < maxDuration.toNanos();
        }
    }

    /** A thread holds the lock, or several do. */
    record Held(SlotHold hold) implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.of(hold.row());
        }

        @Override
        public Optional<LockMode> usedMode() {
            return Optional.of(hold.mode());
        }

        @Override
        public boolean isConverted() {
            return hold.isPartOfConversion();
        }

        @Override
        public boolean mayShare(TicketRequest request) {
            return request.mode().isCompatibleWith(request.mode())
                    && hold.mode() == request.mode()
                    && hold.mayBeHandedOver()
                    && hold.row().isValid();
        }
    }

    /** No thread holds the lock. The slot stays as it is for a while, for the next thread of this process. */
    record Kept(SlotHold hold) implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.of(hold.row());
        }

        @Override
        public Optional<OwnRow> unusedSlot() {
            return liveSlot();
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
    }

    /**
     * The attempt is over. In this same event a request may take the slot, and replace the row by its own write. If none does, the slot
     * is settled.
     *
     * @param hold by which the lock was held until now; null if nobody held it, or if others were told that the attempt is over
     * @param settled runs when a request has taken the slot, or when what becomes of it was tried once
     */
    record Vacant(OwnRow row, @Nullable SlotHold hold, Runnable settled) implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.empty();
        }

        @Override
        public boolean isReplaceable() {
            return true;
        }
    }

    /** No thread wants the slot; the write that says so has yet to be acknowledged. */
    record Releasing(SlotRelease release) implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.empty();
        }

        @Override
        public boolean isReplaceable() {
            return true;
        }
    }
}

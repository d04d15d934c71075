package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.internal.ticket.table.SlotRelease;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

    /** How a thread of this process wants or holds the lock with this slot; empty if none does. */
    default Optional<LockMode> usedMode() {
        return Optional.empty();
    }

    /** This process uses no slot: it has none, has released it, or leaves it to other processes to evict. */
    record Free() implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.empty();
        }
    }

    /**
     * An attempt is under way.
     *
     * @param waiters get the lock by it, in the order of arrival
     * @param since when the first thread arrived that waited with it, also if that one has given up
     */
    record Acquiring(SlotAttempt attempt, List<TicketRequest> waiters, long since) implements SlotState {

        static Acquiring begun(SlotAttempt attempt, List<TicketRequest> waiters) {
            return new Acquiring(attempt, waiters, waiters.get(0).arrivedAt());
        }

        public Acquiring {
            waiters = List.copyOf(waiters);
        }

        TicketRequest first() {
            return waiters.get(0);
        }

        Acquiring with(TicketRequest waiter) {
            return new Acquiring(
                    attempt, Stream.concat(waiters.stream(), Stream.of(waiter)).toList(), since);
        }

        Acquiring without(TicketRequest waiter) {
            return new Acquiring(
                    attempt, waiters.stream().filter(other -> other != waiter).toList(), since);
        }

        @Override
        public Optional<OwnRow> liveSlot() {
            return attempt.slot();
        }

        @Override
        public Optional<LockMode> usedMode() {
            return Optional.of(attempt.mode());
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
    record Left(OwnRow slot, long until) implements SlotState {

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
    }

    /** The hold is over, and others know that this attempt replaces it, if a thread wants the lock again soon. */
    record Returning(OwnRow promised) implements SlotState {

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
     * The attempt is over; what replaces it is decided in this same task of the mailbox, before anything else happens.
     *
     * @param mayReturn whether the attempt was acquired and has not been told to be over: RETICKET may replace it
     */
    record Over(OwnRow slot, boolean mayReturn) implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.empty();
        }
    }

    /** No thread wants the slot; the write that says so has yet to be acknowledged. */
    record Releasing(SlotRelease release) implements SlotState {

        @Override
        public Optional<OwnRow> liveSlot() {
            return Optional.empty();
        }
    }
}

package io.github.cassandralock.internal.ticket;

import java.util.Optional;

/** What this process uses its slot in a lock for. */
sealed interface SlotState {

    /** The slot of the present attempt, if there is one that is not over and has drawn its number. */
    Optional<OwnSlot> liveSlot();

    /** The same, if the attempt has begun to write. */
    default Optional<OwnSlot> writtenSlot() {
        return liveSlot();
    }

    /** The same, if no thread of this process wants it. */
    default Optional<OwnSlot> unusedSlot() {
        return Optional.empty();
    }

    /** This process uses no slot: it has none, has released it, or leaves it to other processes to evict. */
    record Free() implements SlotState {

        @Override
        public Optional<OwnSlot> liveSlot() {
            return Optional.empty();
        }
    }

    /** An attempt is under way for the first waiter. */
    record Acquiring(SlotAttempt attempt) implements SlotState {

        @Override
        public Optional<OwnSlot> liveSlot() {
            return attempt.slot();
        }
    }

    /** A thread holds the lock. */
    record Held(SlotHold hold) implements SlotState {

        @Override
        public Optional<OwnSlot> liveSlot() {
            return Optional.of(hold.slot());
        }
    }

    /** No thread holds the lock. The slot stays as it is for a while, for the next thread of this process. */
    record Kept(SlotHold hold) implements SlotState {

        @Override
        public Optional<OwnSlot> liveSlot() {
            return Optional.of(hold.slot());
        }

        @Override
        public Optional<OwnSlot> unusedSlot() {
            return liveSlot();
        }
    }

    /** The process ends, and the slot outlives it: it keeps others out, and is neither written nor given up any more. */
    record Left(OwnSlot slot) implements SlotState {

        @Override
        public Optional<OwnSlot> liveSlot() {
            return Optional.of(slot);
        }

        @Override
        public Optional<OwnSlot> writtenSlot() {
            return Optional.empty();
        }
    }

    /** The hold is over, and others know that this attempt replaces it, if a thread wants the lock again soon. */
    record Returning(OwnSlot promised) implements SlotState {

        @Override
        public Optional<OwnSlot> liveSlot() {
            return Optional.of(promised);
        }

        @Override
        public Optional<OwnSlot> writtenSlot() {
            return Optional.empty();
        }

        @Override
        public Optional<OwnSlot> unusedSlot() {
            return liveSlot();
        }
    }

    /** No thread wants the slot; the write that says so has yet to be acknowledged. */
    record Releasing(SlotRelease release) implements SlotState {

        @Override
        public Optional<OwnSlot> liveSlot() {
            return Optional.empty();
        }
    }
}

package io.github.cassandralock.internal.ticket;

/** What this process uses its slot in a lock for. */
sealed interface SlotState {

    /** This process uses no slot: it has none, has released it, or leaves it to other processes to evict. */
    record Free() implements SlotState {}

    /** An attempt is under way for the first waiter. */
    record Acquiring(SlotAttempt attempt) implements SlotState {}

    /** A thread holds the lock. */
    record Held(SlotHold hold) implements SlotState {}

    /** No thread holds the lock. The slot stays as it is for a while, for the next thread of this process. */
    record Kept(SlotHold hold) implements SlotState {}

    /** The hold is over, and others know that this attempt replaces it, if a thread wants the lock again soon. */
    record Returning(OwnSlot promised) implements SlotState {}

    /** No thread wants the slot; the write that says so has yet to be acknowledged. */
    record Releasing(SlotRelease release) implements SlotState {}

    SlotState FREE = new Free();
}

package io.github.cassandralock.internal.ticket;

/** What this process uses its slot in a lock for. */
sealed interface SlotState {

    /** This process uses no slot: it has none, has released it, or leaves it to other processes to evict. */
    record Free() implements SlotState {}

    /** An attempt is under way for the first waiter. */
    record Acquiring(SlotAttempt attempt) implements SlotState {}

    /** A thread holds the lock. */
    record Held(SlotHold hold) implements SlotState {}

    /** No thread wants the lock, and the write that releases the slot is not acknowledged yet. */
    record Releasing(SlotRelease release) implements SlotState {}

    SlotState FREE = new Free();
}

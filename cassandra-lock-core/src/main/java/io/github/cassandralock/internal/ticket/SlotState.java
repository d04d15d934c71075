package io.github.cassandralock.internal.ticket;

/** What this process's slot in a lock is being used for. */
sealed interface SlotState {

    /** There is no slot, or it is idle as far as others can see. */
    record Free() implements SlotState {}

    /** An attempt is under way for the front waiter. */
    record Acquiring(SlotAttempt attempt) implements SlotState {}

    /** A thread holds the lock. */
    record Held(SlotHold hold) implements SlotState {}

    /** No thread wants the slot; the write that says so has yet to be acknowledged. */
    record Releasing(SlotRelease release) implements SlotState {}

    SlotState FREE = new Free();
}

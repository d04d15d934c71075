package io.github.cassandralock.internal.ticket;

/** What this process's slot in a lock is being used for. */
sealed interface SlotUse {

    /** There is no slot, or it is idle for all anybody knows. */
    record Free() implements SlotUse {}

    /** An attempt is under way for the front waiter. */
    record Acquiring(SlotAttempt attempt) implements SlotUse {}

    /** A thread holds the lock. */
    record Held(Tenure tenure) implements SlotUse {}

    /** Nobody wants the slot, and that has yet to be acknowledged. */
    record Releasing(SlotRelease release) implements SlotUse {}

    SlotUse FREE = new Free();
}

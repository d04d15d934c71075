package io.github.cassandralock.internal.ticket;

/** How an attempt on a slot ended. */
sealed interface AttemptEnd {

    /** The winning read has completed, and the lease and the slot are valid after it. */
    record Acquired(OwnSlot slot) implements AttemptEnd {}

    /** Somebody else has the lock or goes first, and the attempt was soft. */
    record Refused() implements AttemptEnd {}

    /** The slot was lost on the way, or its session: a new attempt may begin. */
    record Over(String reason) implements AttemptEnd {}

    /** The store failed for longer than the attempt's patience. */
    record Failed(Throwable cause) implements AttemptEnd {}
}

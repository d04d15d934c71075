package io.github.cassandralock.internal.ticket;

import java.time.Duration;

/** How an attempt on a slot ended. */
sealed interface AttemptOutcome {

    /**
     * The winning read has completed, or a notice has ended the wait, and the lease and the slot are valid after it.
     *
     * @param contended whether other sessions want the lock, too
     * @param waited the time since the attempt began
     */
    record Acquired(OwnSlot slot, boolean contended, Duration waited) implements AttemptOutcome {}

    /** Another session holds the lock or is ahead in its queue, and the attempt was soft. */
    record Refused() implements AttemptOutcome {}

    /** The slot, or its session, was lost during the attempt. A new attempt may begin. */
    record SlotLost(String reason) implements AttemptOutcome {}

    /** The store has failed for longer than the attempt tolerates, or refused a request for good. */
    record Failed(Throwable cause) implements AttemptOutcome {}
}

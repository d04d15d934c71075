package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;

/** How an attempt on a slot ended. */
public sealed interface Outcome {

    /**
     * A read or a notice has shown that no blocker is left. The lease and the slot were valid after that.
     *
     * @param contended whether other sessions have requested the lock
     * @param waited the time since the attempt began
     */
    record Acquired(OwnRow row, boolean contended, Duration waited) implements Outcome {}

    /** The attempt only tries, and another session holds the lock or is ahead in its queue. */
    record Refused() implements Outcome {}

    /** The slot, or its session, was lost during the attempt. A new attempt may begin. */
    record SlotLost(String reason) implements Outcome {}

    /** The store has failed for longer than the attempt tolerates, or refused a request for good. */
    record Failed(Throwable cause) implements Outcome {}
}

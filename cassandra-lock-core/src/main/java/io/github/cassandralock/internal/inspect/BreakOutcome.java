package io.github.cassandralock.internal.inspect;

import java.time.Duration;

/** What became of a request to break a lock. */
public sealed interface BreakOutcome {

    /** The store shows no holder. Nothing was done. */
    record NotHeld() implements BreakOutcome {}

    /** The holder was in this process: it is told, and the lock is being given up. */
    record Broken(QueueEntry holder) implements BreakOutcome {}

    /**
     * The process of the holder has been asked to.
     *
     * @param within the time after which it looks for requests again, at the latest
     */
    record Requested(QueueEntry holder, Duration within) implements BreakOutcome {}
}

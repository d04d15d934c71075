package io.github.cassandralock.internal.inspect;

import java.time.Duration;
import java.util.List;

/** What became of a request to break a lock. */
public sealed interface BreakOutcome {

    /** The store shows no holder, or none of the session that was named. Nothing was done. */
    record NotHeld() implements BreakOutcome {}

    /**
     * The holders lose the lock: those of this process at once, the others as soon as their processes look for requests.
     *
     * @param told those in this process: they are told, and the lock is being given up
     * @param asked those whose processes have been asked to do the same
     * @param within the time after which each of these processes looks for requests again, at the latest; zero if none was asked
     * @param others how many other holders there are, of other sessions than the one that was named, or beyond those that were
     *     read; they keep the lock
     */
    record Begun(List<QueueEntry> told, List<QueueEntry> asked, Duration within, int others) implements BreakOutcome {

        public Begun {
            told = List.copyOf(told);
            asked = List.copyOf(asked);
        }
    }
}

package io.github.cassandralock.internal.inspect;

import io.github.cassandralock.inspect.QueueEntry;
import java.time.Duration;
import java.util.List;

/** The outcome of a request to force-release a lock. */
public sealed interface ForceReleaseOutcome {

    /** The store shows no holder, or no holder of the named session. Nothing was done. */
    record NotHeld() implements ForceReleaseOutcome {}

    /**
     * Holders in this process lose the lock at once, others as soon as their processes read the request.
     *
     * @param told holders in this process; each has received the loss, and its lock is being released
     * @param asked holders whose processes have got a request
     * @param within the time after which each of these processes reads requests again, at the latest; zero if none has got one
     * @param others how many other holders there are, of other sessions than the named one, or beyond those that were read; they
     *     keep the lock
     */
    record Begun(List<QueueEntry> told, List<QueueEntry> asked, Duration within, int others)
            implements ForceReleaseOutcome {

        public Begun {
            told = List.copyOf(told);
            asked = List.copyOf(asked);
        }
    }
}

package io.github.cassandralock.internal.inspect;

import java.util.concurrent.CompletionStage;

/** Takes a lock away from its holder by force. Thread-safe; does not block. */
public interface LockBreaker {

    /**
     * Breaks the lock: the process of its holder tells it that it has lost the lock, and gives the lock up. The holder's work may
     * go on meanwhile and afterwards; only its fencing token keeps it from doing harm.
     *
     * @param by who asks for it; the holder reads it in the reason of the loss
     * @return completes exceptionally if the store could not be read or written; then nothing is known about a request
     */
    CompletionStage<BreakOutcome> breakLock(String lockId, String by);
}

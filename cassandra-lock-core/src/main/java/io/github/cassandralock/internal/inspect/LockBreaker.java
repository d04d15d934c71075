package io.github.cassandralock.internal.inspect;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** Takes a lock away from its holders by force. Thread-safe; does not block. */
public interface LockBreaker {

    /**
     * Breaks the lock: the process of each holder tells it that it has lost the lock, and gives the lock up. The holders' work may
     * go on meanwhile and afterwards; only their fencing tokens keep them from doing harm.
     *
     * @param onlyOf the session whose holders lose the lock; empty: all holders do
     * @param by who asks for it; the holder reads it in the reason of the loss
     * @return completes exceptionally if the store could not be read or written; then nothing is known about the requests
     */
    CompletionStage<BreakOutcome> breakLock(String lockId, Optional<UUID> onlyOf, String by);
}

package io.github.cassandralock.internal.inspect;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** Takes a lock away from its holders. Thread-safe; does not block. */
public interface ForceReleaser {

    /**
     * Force-releases the lock. The process of each holder reports the loss to the holder, and releases the lock. The holders' work may
     * continue meanwhile and afterwards; only their fencing tokens prevent harm then.
     *
     * @param onlyOf the session whose holders lose the lock; empty: all holders do
     * @param by who requests it; part of the reason of the loss
     * @return completes exceptionally if the store could not be read or written; the outcome of the requests is then unknown
     */
    CompletionStage<ForceReleaseOutcome> forceRelease(String lockId, Optional<UUID> onlyOf, String by);
}

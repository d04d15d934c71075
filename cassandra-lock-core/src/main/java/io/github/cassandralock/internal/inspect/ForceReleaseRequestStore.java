package io.github.cassandralock.internal.inspect;

import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** The requests to force-release locks. At quorum. Thread-safe; no method blocks. */
public interface ForceReleaseRequestStore {

    /**
     * Requests that the process of this session releases a lock. Idempotent.
     *
     * @param ttl the time after which the request expires; whole seconds
     */
    CompletionStage<WriteOutcome> add(UUID session, ForceReleaseRequest request, Duration ttl);

    /** The requests to the process of this session. Completes exceptionally if they could not be read. */
    CompletionStage<List<ForceReleaseRequest>> requestsTo(UUID session);
}

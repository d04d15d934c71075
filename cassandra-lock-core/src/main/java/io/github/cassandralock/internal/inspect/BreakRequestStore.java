package io.github.cassandralock.internal.inspect;

import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** The requests to break locks. At quorum. Thread-safe; no method blocks. */
public interface BreakRequestStore {

    /**
     * Asks the process of this session to give up a lock. Idempotent.
     *
     * @param ttl the time after which the request is forgotten; whole seconds
     */
    CompletionStage<WriteOutcome> ask(UUID session, BreakRequest request, Duration ttl);

    /** What the process of this session was asked for. Completes exceptionally if it could not be read. */
    CompletionStage<List<BreakRequest>> askedOf(UUID session);
}

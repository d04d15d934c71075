package io.github.cassandralock.internal.majority;

import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The last fencing token of each lock in one cluster, separately for each incarnation of the cluster. A value only grows, in
 * whatever order writes arrive. No method blocks. Thread-safe. Stages complete exceptionally if the store fails.
 */
public interface TokenRegister {

    /** Reads the value at quorum; empty if none was written in this incarnation. */
    CompletionStage<OptionalLong> read(String lockId, UUID incarnation);

    /** Raises the value to at least this token. Completes when a quorum has acknowledged it. */
    CompletionStage<Void> raise(String lockId, UUID incarnation, long token);
}

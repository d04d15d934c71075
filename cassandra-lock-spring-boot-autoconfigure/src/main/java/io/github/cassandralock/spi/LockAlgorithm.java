package io.github.cassandralock.spi;

import java.util.concurrent.CompletionStage;

/**
 * A way of agreeing on who holds a lock. Lock ids have been checked by the caller. Nothing here blocks. Thread-safe.
 */
public interface LockAlgorithm extends AutoCloseable {

    /** As the configuration names it, for people. */
    String name();

    /**
     * Queues for the lock until it is granted.
     *
     * @param threadId names this acquisition, unique over all processes and all time
     */
    Attempt acquire(String lockId, String threadId);

    /**
     * Takes the lock if nobody holds it.
     *
     * @param threadId names this acquisition, unique over all processes and all time
     */
    Attempt tryAcquire(String lockId, String threadId);

    /**
     * The process goes on from a checkpoint, perhaps beside another copy of itself: what it had written belongs to nobody
     * any more. Attempts have been given up, and grants abandoned, before.
     */
    default void restored() {}

    /**
     * Ends what the algorithm does in the background; attempts that begin later may fail at once. Attempts and grants have ended before. Completes, never
     * exceptionally, within seconds. Idempotent.
     */
    CompletionStage<Void> closeAsync();

    /** Begins {@link #closeAsync()}. */
    @Override
    default void close() {
        closeAsync();
    }
}

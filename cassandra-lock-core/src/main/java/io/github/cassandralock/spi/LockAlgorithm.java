package io.github.cassandralock.spi;

import java.util.concurrent.CompletionStage;

/**
 * A protocol by which processes agree on the holder of a lock. A bean of this type replaces the algorithm that the property
 * {@code cassandra-lock.algorithm} selects. The locker has validated the lock ids that it passes. No method blocks.
 * Thread-safe.
 */
public interface LockAlgorithm extends AutoCloseable {

    /**
     * Returns the name that messages and the health details show.
     *
     * @return the name, as the property {@code cassandra-lock.algorithm} writes it
     */
    String name();

    /**
     * Queues for the lock until it is granted.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @return the attempt, which has begun
     */
    Attempt acquire(String lockId, String threadId);

    /**
     * Takes the lock if it is free. An algorithm may also refuse a free lock if others wait for it.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @return the attempt, which has begun
     */
    Attempt tryAcquire(String lockId, String threadId);

    /**
     * Reports that the process was restored from a checkpoint. Another copy of it may run as well, so the algorithm must no
     * longer treat as its own what the process wrote before. The locker gives up all attempts and abandons all grants before
     * this call.
     */
    default void restored() {}

    /**
     * Stops all background work. The locker ends all attempts and grants before this call; later attempts may fail at once.
     * Idempotent.
     *
     * @return completes within seconds, never exceptionally
     */
    CompletionStage<Void> closeAsync();

    /** Begins {@link #closeAsync()} and does not wait for its end. */
    @Override
    default void close() {
        closeAsync();
    }
}

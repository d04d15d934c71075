package io.github.cassandralock.spi;

import java.util.concurrent.CompletionStage;

/**
 * A way for processes to agree on who holds a lock. A bean of this type replaces the algorithm that the configuration
 * names. The locker has checked lock ids before it calls. No method blocks. Thread-safe.
 */
public interface LockAlgorithm extends AutoCloseable {

    /**
     * The name that messages and the health details show.
     *
     * @return the name, as the configuration writes it
     */
    String name();

    /**
     * Queues for the lock until it is granted.
     *
     * @param lockId the lock
     * @param threadId names this acquisition; unique over all processes and all time
     * @return the attempt, which has begun
     */
    Attempt acquire(String lockId, String threadId);

    /**
     * Takes the lock if nobody holds it and nobody waits for it.
     *
     * @param lockId the lock
     * @param threadId names this acquisition; unique over all processes and all time
     * @return the attempt, which has begun
     */
    Attempt tryAcquire(String lockId, String threadId);

    /**
     * Tells that the process continues from a checkpoint, perhaps beside another copy of itself. What it wrote before
     * must not count as its own any more. The locker has given up all attempts and abandoned all grants before.
     */
    default void restored() {}

    /**
     * Ends what the algorithm does in the background. The locker has ended all attempts and grants before; attempts that
     * begin later may fail at once. Idempotent.
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

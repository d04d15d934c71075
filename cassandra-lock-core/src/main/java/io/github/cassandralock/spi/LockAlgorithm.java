package io.github.cassandralock.spi;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
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
    String getName();

    /**
     * Returns whether locks can be held in this mode. The locker refuses requests in other modes before it begins an attempt.
     *
     * @param mode the mode of a request
     * @return constant for each mode; always true for {@link LockMode#EXCLUSIVE}, and by default for no other mode
     */
    default boolean supports(LockMode mode) {
        return mode == LockMode.EXCLUSIVE;
    }

    /**
     * Returns whether several callers can hold a lock in mode {@link LockMode#EXCLUSIVE} at once, by its permits. The locker
     * refuses requests with several permits before it begins an attempt if not.
     *
     * @return constant; false by default
     */
    default boolean supportsPermits() {
        return false;
    }

    /**
     * Returns whether locks have values: whether its grants implement {@link Grant#readValue()}, {@link Grant#storeValue(byte[])}
     * and the methods that belong to them.
     *
     * @return constant; false by default
     */
    default boolean keepsValues() {
        return false;
    }

    /**
     * Begins an attempt to acquire a lock. A request that waits queues for the lock until it is granted. A request that tries
     * takes the lock if nobody holds it in an incompatible mode. An algorithm may refuse it if others wait for the lock.
     *
     * @param request the lock, and how it is acquired; the locker passes only modes that the algorithm supports
     * @return the attempt, which has begun
     * @throws UnsupportedOperationException if the algorithm does not support the mode
     */
    Attempt acquire(AcquireRequest request);

    /**
     * Abandons all earlier writes of the process: the algorithm must no longer treat them as its own. All grants and attempts are
     * lost; later attempts begin anew. The reason is a restore from a checkpoint, whose other copies may run, or a store that
     * lost its tables. Does not block.
     *
     * @param loss what happened, for holders and for the log
     */
    default void abandonAll(LockLoss loss) {}

    /**
     * Stops all background work. The locker ends all attempts and grants before this call; later attempts may fail at once. If the
     * time of the locker was too short, some grants are abandoned, and not released. Idempotent.
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

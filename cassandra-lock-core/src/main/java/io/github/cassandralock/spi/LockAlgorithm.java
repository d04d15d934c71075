package io.github.cassandralock.spi;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import java.util.Optional;
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
     * Returns whether locks can be held in this mode. The locker refuses requests in other modes before it begins an attempt.
     *
     * @param mode the mode of a request
     * @return constant for each mode; always true for {@link LockMode#EXCLUSIVE}, and by default for no other mode
     */
    default boolean supports(LockMode mode) {
        return mode == LockMode.EXCLUSIVE;
    }

    /**
     * Queues for the lock in mode {@link LockMode#EXCLUSIVE} until it is granted.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @return the attempt, which has begun
     */
    Attempt acquire(String lockId, String threadId);

    /**
     * Queues for the lock in this mode until it is granted. By default it is {@link #acquire(String, String)}, for an algorithm
     * that supports {@link LockMode#EXCLUSIVE} only.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @param mode how the lock is to be held
     * @return the attempt, which has begun
     * @throws UnsupportedOperationException if the algorithm does not support the mode
     */
    default Attempt acquire(String lockId, String threadId, LockMode mode) {
        requireExclusive(lockId, mode);
        return acquire(lockId, threadId);
    }

    /**
     * Queues for the lock for an owner. By default it is {@link #acquire(String, String, LockMode)}. The locker calls only this
     * method for attempts that wait.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @param mode how the lock is to be held
     * @param owner the owner of the lock; empty if the request names none
     * @return the attempt, which has begun
     * @throws UnsupportedOperationException if the algorithm does not support the mode
     */
    default Attempt acquire(String lockId, String threadId, LockMode mode, Optional<LockOwner> owner) {
        return acquire(lockId, threadId, mode);
    }

    private void requireExclusive(String lockId, LockMode mode) {
        if (mode != LockMode.EXCLUSIVE) {
            throw new UnsupportedOperationException("The algorithm '" + name() + "' cannot take lock '" + lockId
                    + "' in mode " + mode + ": it does not implement the methods of LockAlgorithm that have a mode");
        }
    }

    /**
     * Takes the lock in mode {@link LockMode#EXCLUSIVE} if it is free. An algorithm may also refuse a free lock if others wait for
     * it.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @return the attempt, which has begun
     */
    Attempt tryAcquire(String lockId, String threadId);

    /**
     * Takes the lock in this mode if nobody holds it in a mode that is not compatible. An algorithm may also refuse it if others
     * wait for it. By default it is {@link #tryAcquire(String, String)}, for an algorithm that supports {@link LockMode#EXCLUSIVE}
     * only.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @param mode how the lock is to be held
     * @return the attempt, which has begun
     * @throws UnsupportedOperationException if the algorithm does not support the mode
     */
    default Attempt tryAcquire(String lockId, String threadId, LockMode mode) {
        requireExclusive(lockId, mode);
        return tryAcquire(lockId, threadId);
    }

    /**
     * Takes the lock for an owner, if it is free. By default it is {@link #tryAcquire(String, String, LockMode)}. The locker calls
     * only this method for attempts that do not wait.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @param mode how the lock is to be held
     * @param owner the owner of the lock; empty if the request names none
     * @return the attempt, which has begun
     * @throws UnsupportedOperationException if the algorithm does not support the mode
     */
    default Attempt tryAcquire(String lockId, String threadId, LockMode mode, Optional<LockOwner> owner) {
        return tryAcquire(lockId, threadId, mode);
    }

    /**
     * Renounces all earlier writes of the process: the algorithm must no longer treat them as its own. All grants and attempts are
     * lost; later attempts begin anew. The reason is a restore from a checkpoint, of which another copy may run, or a store that
     * lost its tables. Does not block.
     *
     * @param reason what happened, for holders and for the log; a clause without a full stop
     */
    default void renounce(String reason) {}

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

package io.github.cassandralock.internal.store;

import io.github.cassandralock.LockMode;

/**
 * A lock that the owner of a wait holds.
 *
 * @param number of the handle in its mode within its process: a converted handle has another one
 * @param mode the mode of the handle, which may be weaker than the modes of its slots
 * @param permits how many may hold the lock beside each other in the view of the holder; 1 without permits
 */
public record PublishedHold(long number, String lockId, LockMode mode, int permits) {

    /** A lock that is held without permits. */
    public PublishedHold(long number, String lockId, LockMode mode) {
        this(number, lockId, mode, 1);
    }
}

package io.github.cassandralock.internal.store;

import io.github.cassandralock.LockMode;

/**
 * A lock that the owner of a wait holds.
 *
 * @param number of the handle in its mode within its process: a converted handle has another one
 * @param mode the mode of the handle, which may be weaker than the modes of its slots
 */
public record HeldLock(long number, String lockId, LockMode mode) {}

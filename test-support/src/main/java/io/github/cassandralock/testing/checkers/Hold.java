package io.github.cassandralock.testing.checkers;

/**
 * One thread's hold of a lock, as far as its history tells.
 *
 * @param attempt whose
 * @param token {@code Event.NO_TOKEN} if the algorithm has none
 * @param read the counter's value at the beginning
 * @param enteredAt a time at which it held the lock
 * @param heldUntil the last time at which it is known to have held the lock
 * @param counted whether its count is known to have been made, as a whole, while it held the lock
 * @param countedBy its write to the counter came before this, if there was one
 */
record Hold(
        String attempt,
        String lockId,
        long token,
        long read,
        long enteredAt,
        long heldUntil,
        boolean counted,
        long countedBy) {}

package io.github.cassandralock.testing.checkers;

import io.github.cassandralock.LockMode;
import java.util.OptionalLong;

/**
 * One thread's hold of a lock, as far as its history tells.
 *
 * @param attempt whose
 * @param handle by which it held the lock: the same before and after a conversion
 * @param mode how it was held
 * @param token {@code Event.NO_TOKEN} if the algorithm has none
 * @param read the counter's value at the beginning
 * @param readAgain the counter's value at the end, if it did not count and is known to have held the lock until then
 * @param enteredAt a time at which it held the lock
 * @param heldUntil the last time at which it is known to have held the lock
 * @param counted whether its count is known to have been made, as a whole, while it held the lock
 * @param countedBy its write to the counter came before this, if there was one
 */
record Hold(
        String attempt,
        String handle,
        String lockId,
        LockMode mode,
        long token,
        long read,
        OptionalLong readAgain,
        long enteredAt,
        long heldUntil,
        boolean counted,
        long countedBy) {

    /** Whether it writes to the counter. */
    boolean writes() {
        return mode.covers(LockMode.PROTECTED_WRITE);
    }

    /** Whether the counter is as the last writer left it: it keeps writers out, and held the lock when it read. */
    boolean hasToFindTheCount() {
        return writes() || (mode.covers(LockMode.PROTECTED_READ) && readAgain.isPresent());
    }

    boolean conflictsWith(Hold other) {
        return !handle.equals(other.handle) && !mode.isCompatibleWith(other.mode);
    }
}

package io.github.cassandralock.spi;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import java.util.Optional;

/**
 * A request of the locker to an algorithm: one lock, and how it is acquired. Immutable.
 *
 * @param lockId the lock; the locker has validated it
 * @param threadId the name of this acquisition; unique among all acquisitions of all processes
 * @param kind what happens if the lock is taken
 * @param mode how the lock is to be held
 * @param owner the owner of the lock; empty if the request names none
 * @param permits how many may hold the lock at once; 1 unless the mode is {@link LockMode#EXCLUSIVE}
 */
public record AcquireRequest(
        String lockId, String threadId, Kind kind, LockMode mode, Optional<LockOwner> owner, int permits) {

    /**
     * Creates a request.
     *
     * @param lockId the lock; the locker has validated it
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @param kind what happens if the lock is taken
     * @param mode how the lock is to be held
     * @param owner the owner of the lock; empty if the request names none
     * @param permits how many may hold the lock at once
     * @throws IllegalArgumentException if the permits are not from one to {@link LockRequest#MAX_PERMITS}, or one in another mode
     *     than {@link LockMode#EXCLUSIVE}
     */
    public AcquireRequest {
        if (permits < 1 || permits > LockRequest.MAX_PERMITS) {
            throw new IllegalArgumentException("Lock '" + lockId + "' is requested with " + permits
                    + " permits, which is not from one to " + LockRequest.MAX_PERMITS);
        }
        if (permits > 1 && mode != LockMode.EXCLUSIVE) {
            throw new IllegalArgumentException("Lock '" + lockId + "' is requested with " + permits
                    + " permits in mode " + mode + ": permits are for mode EXCLUSIVE only");
        }
    }

    /**
     * Creates a request for a lock with one permit.
     *
     * @param lockId the lock; the locker has validated it
     * @param threadId the name of this acquisition; unique among all acquisitions of all processes
     * @param kind what happens if the lock is taken
     * @param mode how the lock is to be held
     * @param owner the owner of the lock; empty if the request names none
     */
    public AcquireRequest(String lockId, String threadId, Kind kind, LockMode mode, Optional<LockOwner> owner) {
        this(lockId, threadId, kind, mode, owner, 1);
    }

    /** What happens if the lock is taken. */
    public enum Kind {

        /** The attempt queues for the lock until it is granted. */
        WAITS,

        /** The attempt ends without the lock. */
        TRIES
    }

    /**
     * Returns a request that waits, in mode {@link LockMode#EXCLUSIVE} and without an owner.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition
     * @return the request
     */
    public static AcquireRequest waits(String lockId, String threadId) {
        return new AcquireRequest(lockId, threadId, Kind.WAITS, LockMode.EXCLUSIVE, Optional.empty());
    }

    /**
     * Returns a request that tries, in mode {@link LockMode#EXCLUSIVE} and without an owner.
     *
     * @param lockId the lock
     * @param threadId the name of this acquisition
     * @return the request
     */
    public static AcquireRequest tries(String lockId, String threadId) {
        return new AcquireRequest(lockId, threadId, Kind.TRIES, LockMode.EXCLUSIVE, Optional.empty());
    }

    /**
     * Returns this request with another mode.
     *
     * @param other how the lock is to be held
     * @return the request
     */
    public AcquireRequest in(LockMode other) {
        return new AcquireRequest(lockId, threadId, kind, other, owner, permits);
    }

    /**
     * Returns this request with another name, for an algorithm that splits a request into several.
     *
     * @param other the name of the acquisition
     * @return the request
     */
    public AcquireRequest named(String other) {
        return new AcquireRequest(lockId, other, kind, mode, owner, permits);
    }

    /**
     * Returns this request for a lock with permits.
     *
     * @param number how many may hold the lock at once
     * @return the request
     */
    public AcquireRequest permits(int number) {
        return new AcquireRequest(lockId, threadId, kind, mode, owner, number);
    }

    /**
     * Returns whether the attempt queues for the lock until it is granted.
     *
     * @return false if it tries
     */
    public boolean waits() {
        return kind == Kind.WAITS;
    }

    /**
     * Refuses other modes than {@link LockMode#EXCLUSIVE}, and several permits, for an algorithm that has neither.
     *
     * @param algorithm its name, for the message
     * @return this request
     * @throws UnsupportedOperationException if the request is in another mode, or has several permits
     */
    public AcquireRequest requireExclusive(String algorithm) {
        if (mode != LockMode.EXCLUSIVE) {
            throw new UnsupportedOperationException("The algorithm '" + algorithm + "' cannot take lock '" + lockId
                    + "' in mode " + mode + ": it supports EXCLUSIVE only");
        }
        if (permits != 1) {
            throw new UnsupportedOperationException("The algorithm '" + algorithm + "' cannot take lock '" + lockId
                    + "' with " + permits + " permits: it supports one holder only");
        }
        return this;
    }
}

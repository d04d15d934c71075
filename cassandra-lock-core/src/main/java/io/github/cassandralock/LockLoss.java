package io.github.cassandralock;

/**
 * Why a lock was lost.
 *
 * @param reason the kind, for code; later versions may add kinds
 * @param text the reason, for people: a clause without a full stop, such as "no renewal was confirmed within the lease"
 */
public record LockLoss(Reason reason, String text) {

    /** The kinds of losses. */
    public enum Reason {

        /**
         * The lease ran out before a renewal was confirmed: Cassandra was not reachable, refused the renewals, or the process was
         * paused.
         */
        LEASE_EXPIRED,

        /** An operator force-released the lock. */
        FORCE_RELEASED,

        /** It was held for its longest time ({@link LockRequest#holdAtMost}). */
        HELD_AT_MOST,

        /** The locker, or the application with it, is closing. */
        CLOSED,

        /** The process was restored from a checkpoint, or another copy of it runs. */
        RESTORED,

        /** A cluster has forgotten its tables, for example because it was restored or replaced. */
        STORE_FORGOT,

        /** The algorithm of an application abandoned the lock for a reason of its own. */
        OTHER
    }

    /**
     * Creates a loss.
     *
     * @param reason the kind
     * @param text the reason, for people
     * @throws IllegalArgumentException if an argument is null
     */
    public LockLoss {
        if (reason == null || text == null) {
            throw new IllegalArgumentException(
                    "The reason of a loss is " + reason + ", and its text " + text + "; both are needed");
        }
    }

    /**
     * Returns this loss with a text that names the lock, for a callback of several locks.
     *
     * @param lockId the name of the resource
     * @return the same reason, with another text
     */
    public LockLoss ofLock(String lockId) {
        return new LockLoss(reason, "lock '" + lockId + "': " + text);
    }

    /** Returns the text. */
    @Override
    public String toString() {
        return text;
    }
}

package io.github.cassandralock;

/**
 * The lock was lost: its lease was not renewed in time, or was abandoned. Another process may hold the lock. The work under the
 * lock must stop and be undone.
 */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Why the lock was lost. */
    private final LockLoss.Reason reason;

    /**
     * Creates the exception, with the reason {@link LockLoss.Reason#OTHER}.
     *
     * @param lockId the lock
     * @param message what happened, to which lock, and what to do
     */
    public LockLostException(String lockId, String message) {
        this(lockId, message, LockLoss.Reason.OTHER);
    }

    /**
     * Creates the exception.
     *
     * @param lockId the lock
     * @param message what happened, to which lock, and what to do
     * @param reason why the lock was lost
     */
    public LockLostException(String lockId, String message, LockLoss.Reason reason) {
        super(lockId, message, null);
        this.reason = reason;
    }

    /**
     * Returns why the lock was lost, as {@link HeldLock#onLost} gives it.
     *
     * @return the reason; {@link LockLoss.Reason#OTHER} if the creator of the exception gave none
     */
    public LockLoss.Reason getReason() {
        return reason;
    }
}

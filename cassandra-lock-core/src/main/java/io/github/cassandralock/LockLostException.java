package io.github.cassandralock;

/**
 * The lock was lost: its lease was not renewed in time, or was abandoned. Another process may hold the lock. The work under the
 * lock must stop and be undone.
 */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param lockId the lock
     * @param message what happened, to which lock, and what to do
     */
    public LockLostException(String lockId, String message) {
        super(lockId, message, null);
    }
}

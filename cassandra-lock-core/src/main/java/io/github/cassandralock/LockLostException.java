package io.github.cassandralock;

/** The lease could not be renewed in time: someone else may hold the lock. Work under it must stop. */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Says what happened to which lock.
     *
     * @param lockId the lock in question
     * @param message what happened, and what to do
     */
    public LockLostException(String lockId, String message) {
        super(lockId, message, null);
    }
}

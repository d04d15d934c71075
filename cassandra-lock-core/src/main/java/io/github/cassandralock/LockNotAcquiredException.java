package io.github.cassandralock;

/** The lock was taken, and the annotation requests an exception in this case ({@code whenBusy = THROW}). */
public final class LockNotAcquiredException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param lockId the lock
     * @param message what happened, to which lock, and what to do
     */
    public LockNotAcquiredException(String lockId, String message) {
        super(lockId, message, null);
    }
}

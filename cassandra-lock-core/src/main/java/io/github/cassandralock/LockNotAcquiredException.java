package io.github.cassandralock;

/** A soft attempt that was told to throw ({@code whenBusy = THROW}) found the lock held by someone else. */
public final class LockNotAcquiredException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Says what happened to which lock.
     *
     * @param lockId the lock in question
     * @param message what happened, and what to do
     */
    public LockNotAcquiredException(String lockId, String message) {
        super(lockId, message, null);
    }
}

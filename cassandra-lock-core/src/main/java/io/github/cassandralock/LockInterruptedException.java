package io.github.cassandralock;

/** The thread was interrupted while it waited. The queue was left; the interrupt flag is set again. */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Says what happened to which lock.
     *
     * @param lockId the lock in question
     * @param message what happened, and what to do
     * @param cause ended the wait
     */
    public LockInterruptedException(String lockId, String message, InterruptedException cause) {
        super(lockId, message, cause);
    }
}

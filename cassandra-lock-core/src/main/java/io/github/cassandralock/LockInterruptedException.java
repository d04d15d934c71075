package io.github.cassandralock;

/**
 * The thread was interrupted while it waited. The thread's interrupt flag is set. A call that waited for a lock has left the queue
 * and holds nothing. A call that waited for a fencing token, a value or a conversion still holds the lock.
 */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param lockId the lock
     * @param message what happened, to which lock, and what to do
     * @param cause the interrupt
     */
    public LockInterruptedException(String lockId, String message, InterruptedException cause) {
        super(lockId, message, cause);
    }
}

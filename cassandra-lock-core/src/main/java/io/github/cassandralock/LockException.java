package io.github.cassandralock;

import org.jspecify.annotations.Nullable;

/** The base of all exceptions that concern a lock. The message gives the lock, what happened and what to do. */
public abstract sealed class LockException extends RuntimeException
        permits LockTimeoutException,
                LockDeadlockException,
                LockNotAcquiredException,
                LockLostException,
                LockInterruptedException,
                LockStoreException {

    private static final long serialVersionUID = 1L;

    private final String lockId;

    LockException(String lockId, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockId = lockId;
    }

    /**
     * Returns the lock that the exception concerns.
     *
     * @return the lock id
     */
    public String getLockId() {
        return lockId;
    }
}

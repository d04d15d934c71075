package io.github.cassandralock;

import org.jspecify.annotations.Nullable;

/**
 * What can go wrong with a lock. The message names the lock, what was being done and for how long, and what to do.
 */
public abstract sealed class LockException extends RuntimeException
        permits LockTimeoutException,
                LockNotAcquiredException,
                LockLostException,
                LockInterruptedException,
                LockStoreException {

    private static final long serialVersionUID = 1L;

    /** The lock in question. */
    private final String lockId;

    LockException(String lockId, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockId = lockId;
    }

    /**
     * The lock in question.
     *
     * @return its id
     */
    public String getLockId() {
        return lockId;
    }
}

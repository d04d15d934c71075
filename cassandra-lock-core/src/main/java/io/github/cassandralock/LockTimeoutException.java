package io.github.cassandralock;

import org.jspecify.annotations.Nullable;

/** The lock was not granted within the given time. The call has left the queue and holds nothing. */
public final class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param lockId the lock
     * @param message what happened, to which lock, and what to do
     */
    public LockTimeoutException(String lockId, String message) {
        this(lockId, message, null);
    }

    /**
     * Creates the exception.
     *
     * @param lockId the lock
     * @param message what happened, to which lock, and what to do
     * @param cause the last failed request to Cassandra, if failures were the reason
     */
    public LockTimeoutException(String lockId, String message, @Nullable Throwable cause) {
        super(lockId, message, cause);
    }
}

package io.github.cassandralock;

import org.jspecify.annotations.Nullable;

/** The lock was not granted within the time that the caller allowed. The queue was left; nothing is held. */
public final class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Says what happened to which lock.
     *
     * @param lockId the lock in question
     * @param message what happened, and what to do
     */
    public LockTimeoutException(String lockId, String message) {
        this(lockId, message, null);
    }

    /**
     * Says what happened to which lock.
     *
     * @param lockId the lock in question
     * @param message what happened, and what to do
     * @param cause what Cassandra answered last, if it kept the lock from being granted
     */
    public LockTimeoutException(String lockId, String message, @Nullable Throwable cause) {
        super(lockId, message, cause);
    }
}

package io.github.cassandralock;

/** The lock was not granted within the time that the caller allowed. The queue was left; nothing is held. */
public final class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockTimeoutException(String lockId, String message) {
        super(lockId, message, null);
    }
}

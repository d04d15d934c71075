package io.github.cassandralock;

/**
 * Cassandra could not be reached, rejected a request, or did not acknowledge it. The cause is the exception of the driver
 * or of Spring Data.
 */
public final class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param lockId the lock
     * @param message what happened, to which lock, and what to do
     * @param cause the exception of the driver or of Spring Data
     */
    public LockStoreException(String lockId, String message, Throwable cause) {
        super(lockId, message, cause);
    }
}

package io.github.cassandralock;

/** Cassandra could not be reached, or refused, or did not tell the outcome. The cause is attached. */
public final class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Says what happened to which lock.
     *
     * @param lockId the lock in question
     * @param message what happened, and what to do
     * @param cause what Cassandra or the driver answered
     */
    public LockStoreException(String lockId, String message, Throwable cause) {
        super(lockId, message, cause);
    }
}

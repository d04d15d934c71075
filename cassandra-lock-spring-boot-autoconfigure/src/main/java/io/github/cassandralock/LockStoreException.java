package io.github.cassandralock;

/** Cassandra could not be reached, or refused, or did not tell the outcome. The cause is attached. */
public final class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockStoreException(String lockId, String message, Throwable cause) {
        super(lockId, message, cause);
    }
}

package io.github.cassandralock;

/** The lease could not be renewed in time: someone else may hold the lock. Work under it must stop. */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockLostException(String lockId, String message) {
        super(lockId, message, null);
    }
}

package io.github.cassandralock;

/** A soft attempt that was told to throw ({@code whenBusy = THROW}) found the lock held by someone else. */
public final class LockNotAcquiredException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockNotAcquiredException(String lockId, String message) {
        super(lockId, message, null);
    }
}

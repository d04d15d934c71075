package io.github.cassandralock.internal.store;

/**
 * The value of a lock is of another kind than the call expects. It is a period in place of bytes of the application, or the
 * reverse, or a period of another type. The message names the lock and states what to do. A repetition would fail in the same
 * way.
 */
public final class UnusableValueException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public UnusableValueException(String message) {
        super(message);
    }
}

package io.github.cassandralock.exactlyonce.store;

import org.jspecify.annotations.Nullable;

/**
 * A store cannot keep registers as it is set up. Its table is missing or has another shape, or it may forget acknowledged writes
 * because of a setting. The message states what differs and what to do. Thrown only when a store is opened or its table created.
 */
public final class StoreUnfitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what differs, and what to do
     */
    public StoreUnfitException(String message) {
        this(message, null);
    }

    /**
     * @param message what differs, and what to do
     * @param cause what the store threw, if anything
     */
    public StoreUnfitException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

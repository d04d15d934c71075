package io.github.cassandralock.exactlyonce.store;

import org.jspecify.annotations.Nullable;

/**
 * A store cannot keep registers as it is set up: the table is missing or has another shape, or a setting lets the store forget
 * writes that it has acknowledged. The message says what differs and what to do. Thrown when a store is opened, never later.
 */
public final class StoreUnfitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Tells what differs.
     *
     * @param message what differs, and what to do
     */
    public StoreUnfitException(String message) {
        this(message, null);
    }

    /**
     * Tells what differs.
     *
     * @param message what differs, and what to do
     * @param cause what the store threw, if anything
     */
    public StoreUnfitException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

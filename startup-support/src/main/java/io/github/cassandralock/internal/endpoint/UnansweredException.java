package io.github.cassandralock.internal.endpoint;

import org.jspecify.annotations.Nullable;

/** A request of an operator could not be answered. The message has the reason, and what to do. */
public final class UnansweredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnansweredException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

package io.github.cassandralock.internal.store;

import java.util.Optional;

/**
 * The store refused a request and would refuse it again: for want of rights or of a table, because it takes it for invalid,
 * or because it is closed. The request fails at once; the message says what is refused and what mends
 * it. Work in the background that must be done goes on: the cause may be removed while the application runs.
 */
public final class RefusedRequestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedRequestException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The refusal that a failure goes back to, if it does. */
    public static Optional<RefusedRequestException> in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedRequestException refusal) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }
}

package io.github.cassandralock.internal.store;

import java.util.Optional;

/**
 * The store refused a request and would refuse a repetition. A permission or a table is missing, the request is invalid, or the
 * store is closed. The call fails at once. The message states what was refused and what to do. Renewals and releases in the
 * background are still repeated, because the cause may be removed while the application runs.
 */
public final class RefusedRequestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedRequestException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The refusal among the causes of a failure; empty if there is none. */
    public static Optional<RefusedRequestException> in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedRequestException refusal) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }
}

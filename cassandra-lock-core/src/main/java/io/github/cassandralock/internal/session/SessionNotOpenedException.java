package io.github.cassandralock.internal.session;

import org.jspecify.annotations.Nullable;

/** No session was opened: the store did not confirm it in time, or the locks were closed. No lock is held. */
public final class SessionNotOpenedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SessionNotOpenedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

package io.github.cassandralock.internal.session;

import org.jspecify.annotations.Nullable;

/** The store did not confirm a new session. Nothing is held; opening one may be tried again. */
public final class SessionNotOpenedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SessionNotOpenedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

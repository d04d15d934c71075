package io.github.cassandralock.internal.startup;

import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Something is not started yet. The message has the reason, and what to do, in sentences. The cause is the failure of the last try.
 */
public final class NotStartedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotStartedException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }

    /** Returns the exception of something that was closed before it was started. */
    public static NotStartedException closed() {
        return new NotStartedException("It was closed.", new CancellationException("closed"));
    }

    public String reason() {
        return String.valueOf(getMessage());
    }

    /** Whether it will never be started. */
    public boolean isClosed() {
        return getCause() instanceof CancellationException;
    }

    /** Returns the failure of the last try, otherwise this exception. */
    public Throwable failure() {
        return getCause() == null ? this : getCause();
    }
}

package io.github.cassandralock.internal.startup;

import org.jspecify.annotations.Nullable;

/** The application cannot start. The message is the reason, and {@link #action} what to do. */
public class ExplainedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * @param message the reason
     * @param action what the operator should do
     */
    public ExplainedException(String message, String action) {
        this(message, action, null);
    }

    public ExplainedException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** What the operator should do. */
    public String action() {
        return action;
    }
}

package io.github.cassandralock.internal.cassandra;

import org.jspecify.annotations.Nullable;

/** Locks cannot use the keyspace or its tables. The message has the reason, {@link #action} what to do. */
public final class LockSchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    LockSchemaException(String description, String action) {
        this(description, action, null);
    }

    LockSchemaException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /** What the operator should do. */
    public String action() {
        return action;
    }
}

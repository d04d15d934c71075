package io.github.cassandralock.internal.cassandra;

import io.github.cassandralock.internal.startup.ExplainedException;
import org.jspecify.annotations.Nullable;

/** Locks cannot use the keyspace or its tables. */
public final class LockSchemaException extends ExplainedException {

    private static final long serialVersionUID = 1L;

    LockSchemaException(String description, String action) {
        super(description, action);
    }

    LockSchemaException(String description, String action, @Nullable Throwable cause) {
        super(description, action, cause);
    }
}

package io.github.cassandralock.internal.cassandra;

import io.github.cassandralock.internal.startup.ExplainedException;
import org.jspecify.annotations.Nullable;

/** Locks cannot use the keyspace or its tables. */
public final class LockSchemaException extends ExplainedException {

    /** Follows the name of a table that lacks a column, or has another primary key. */
    public static final String OF_EARLIER_VERSION = " is of an earlier version of cassandra-lock";

    private static final long serialVersionUID = 1L;

    LockSchemaException(String description, String action) {
        super(description, action);
    }

    LockSchemaException(String description, String action, @Nullable Throwable cause) {
        super(description, action, cause);
    }
}

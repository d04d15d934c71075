package io.github.cassandralock.internal.cassandra;

import org.jspecify.annotations.Nullable;

/** The keyspace or its tables are not such that locks can live in them. Each kind says what is wrong and what mends it. */
public abstract sealed class LockSchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    private LockSchemaException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /** What the operator should do. */
    public String action() {
        return action;
    }

    /** No keyspace is configured, or it does not exist. */
    public static final class KeyspaceMissing extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        KeyspaceMissing(String description, String action) {
            super(description, action, null);
        }
    }

    /** A table is missing and may not or must not be created. */
    public static final class TableMissing extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        TableMissing(String description, String action) {
            super(description, action, null);
        }
    }

    /** The user that the application logs in as has no right to create a table, to read it, or to change it. */
    public static final class NotPermitted extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        NotPermitted(String description, String action, Throwable cause) {
            super(description, action, cause);
        }
    }

    /** The cluster has nodes, but none that the driver would send a request to. */
    public static final class NoNodes extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        NoNodes(String description, String action) {
            super(description, action, null);
        }
    }

    /** A statement that locks need is refused: for want of the table or a column of it. */
    public static final class Unusable extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        Unusable(String description, String action, Throwable cause) {
            super(description, action, cause);
        }
    }

    /** A table of the name exists, but with other columns, another key or a deletion memory that is too short. */
    public static final class OtherShape extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        OtherShape(String description, String action) {
            super(description, action, null);
        }
    }

    /** The keyspace is replicated in a way in which no quorum can be had. */
    public static final class NoQuorum extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        NoQuorum(String description, String action) {
            super(description, action, null);
        }
    }
}

package io.github.cassandralock.internal.cassandra;

import org.jspecify.annotations.Nullable;

/** Locks cannot use the keyspace or its tables. Each subclass has the reason, and what to do. */
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

    /** A table is missing, and the configuration does not allow the application to create it. */
    public static final class TableMissing extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        TableMissing(String description, String action) {
            super(description, action, null);
        }
    }

    /** The application's user has no right to create, read or change a table. */
    public static final class NotPermitted extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        NotPermitted(String description, String action, Throwable cause) {
            super(description, action, cause);
        }
    }

    /** The cluster has nodes, but the driver sends requests to none of them. */
    public static final class NoNodes extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        NoNodes(String description, String action) {
            super(description, action, null);
        }
    }

    /** Cassandra rejects a statement of the locks because the table or a column is missing. */
    public static final class Unusable extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        Unusable(String description, String action, Throwable cause) {
            super(description, action, cause);
        }
    }

    /** The table exists, but with other columns, another primary key, or a gc_grace_seconds that is too low. */
    public static final class OtherShape extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        OtherShape(String description, String action) {
            super(description, action, null);
        }
    }

    /** The tables belong to a cluster of the algorithm majority, and this process uses another algorithm. */
    public static final class OfMajority extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        OfMajority(String description, String action) {
            super(description, action, null);
        }
    }

    /** Requests at a local consistency level may reach several data centres, each of which has a quorum of its own. */
    public static final class ForeignQuorum extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        ForeignQuorum(String description, String action) {
            super(description, action, null);
        }
    }

    /** With the replication of the keyspace, a quorum is never available. */
    public static final class NoQuorum extends LockSchemaException {
        private static final long serialVersionUID = 1L;

        NoQuorum(String description, String action) {
            super(description, action, null);
        }
    }
}

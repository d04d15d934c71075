package io.github.cassandralock.exactlyonce.jdbc;

import java.sql.SQLException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;

/**
 * Warnings with which a database acknowledges a commit. PostgreSQL warns if the wait for a synchronous standby was cancelled, by a
 * query time-out or an administrator. The transaction is then committed on this server, but a failover may forget it.
 */
public final class Warnings {

    /** "Statement completion unknown". */
    private static final String COMPLETION_UNKNOWN = "40003";

    private Warnings() {}

    /**
     * Ignores notices, whose state begins with 00.
     *
     * @throws SQLException with a state of unknown meaning, if there is a warning
     */
    public static void requireNone(@Nullable SQLWarning first) throws SQLException {
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            String state = warning.getSQLState();
            if (state == null || !state.startsWith("00")) {
                throw new SQLException(
                        "The database has committed with the warning '" + warning.getMessage()
                                + "', so a failover may forget what it has committed",
                        COMPLETION_UNKNOWN,
                        warning);
            }
        }
    }
}

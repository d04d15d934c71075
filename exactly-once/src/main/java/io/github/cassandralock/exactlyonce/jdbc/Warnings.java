package io.github.cassandralock.exactlyonce.jdbc;

import java.sql.SQLException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;

/**
 * Warnings with which a database answers to a commit. PostgreSQL gives one if the wait for a synchronous standby was cancelled, by
 * a query time-out or by an administrator: the transaction is committed on this server, and the standby may not have it, so that a
 * failover may forget it.
 */
public final class Warnings {

    /** "Statement completion unknown". */
    private static final String COMPLETION_UNKNOWN = "40003";

    private Warnings() {}

    /** @throws SQLException whose meaning is unknown if there is a warning; mere notices have a state that begins with 00 */
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

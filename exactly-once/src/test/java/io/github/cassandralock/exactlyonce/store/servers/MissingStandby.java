package io.github.cassandralock.exactlyonce.store.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** While it is open, a PostgreSQL waits at each commit for a synchronous standby that is not there. */
public final class MissingStandby implements AutoCloseable {

    private static final String NAME = "nobody";

    private final DataSource source;

    private MissingStandby(DataSource source) {
        this.source = source;
    }

    /** @param source of connections of a superuser */
    public static MissingStandby of(DataSource source) throws SQLException {
        MissingStandby standby = new MissingStandby(source);
        standby.set("SET synchronous_standby_names = '" + NAME + "'", NAME);
        return standby;
    }

    /** A configuration is read again by each session, some time after the server was told to. */
    private void set(String change, String expected) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM " + change);
            statement.execute("SELECT pg_reload_conf()");
            while (!names(statement).equals(expected)) {
                Thread.onSpinWait();
            }
        }
    }

    private static String names(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT current_setting('synchronous_standby_names')")) {
            row.next();
            return row.getString(1);
        }
    }

    /** Cancels the statement of the next session that waits for the standby, as an administrator does. */
    public void cancelNextWait() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            boolean cancelled = false;
            while (!cancelled) {
                try (ResultSet row = statement.executeQuery(
                        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")) {
                    cancelled = row.next();
                }
            }
        }
    }

    /** Sessions that wait go on. */
    @Override
    public void close() throws SQLException {
        set("RESET synchronous_standby_names", "");
    }
}

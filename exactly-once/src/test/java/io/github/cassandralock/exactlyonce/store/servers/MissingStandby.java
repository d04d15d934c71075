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
        standby.set("SET synchronous_standby_names = '" + NAME + "'", true);
        return standby;
    }

    /** Each process of the server reads its configuration again some time after it was told to. */
    private void set(String change, boolean commitsWait) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM " + change);
            statement.execute("SELECT pg_reload_conf()");
            while (names(statement).isEmpty() == commitsWait || doesCommitWait(connection) != commitsWait) {
                Thread.onSpinWait();
            }
        }
    }

    /** Commits something, and lets the wait be cancelled after a second, which the server tells by a warning. */
    private static boolean doesCommitWait(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            statement.execute("SELECT pg_logical_emit_message(true, 'test', '')");
            return statement.getWarnings() != null;
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
        set("RESET synchronous_standby_names", false);
    }
}

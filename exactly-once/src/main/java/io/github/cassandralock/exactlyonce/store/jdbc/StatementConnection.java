package io.github.cassandralock.exactlyonce.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection on which each statement is a transaction of its own, and whose answers are waited for within a bound. When it is
 * closed, the data source gets it back as it was.
 */
final class StatementConnection implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StatementConnection.class);

    /** The server's answer to a statement that it has cancelled at its time-out is worth waiting for. */
    private static final Duration AFTER_QUERY_TIMEOUT = Duration.ofSeconds(2);

    private final Connection connection;
    private final boolean committedItself;
    private final int networkMillis;

    private StatementConnection(Connection connection, boolean committedItself, int networkMillis) {
        this.connection = connection;
        this.committedItself = committedItself;
        this.networkMillis = networkMillis;
    }

    static StatementConnection open(DataSource source, Duration timeout) throws SQLException {
        Connection connection = source.getConnection();
        try {
            StatementConnection opened =
                    new StatementConnection(connection, connection.getAutoCommit(), connection.getNetworkTimeout());
            connection.setNetworkTimeout(
                    Runnable::run,
                    Math.toIntExact(Math.min(
                            Integer.MAX_VALUE, timeout.plus(AFTER_QUERY_TIMEOUT).toMillis())));
            if (!opened.committedItself) {
                connection.setAutoCommit(true);
            }
            return opened;
        } catch (SQLException | RuntimeException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    Connection get() {
        return connection;
    }

    /** What the statements did is decided already, so a failure here changes nothing. */
    @Override
    public void close() {
        try {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, networkMillis);
                if (!committedItself) {
                    connection.setAutoCommit(false);
                }
            }
        } catch (SQLException e) {
            log.debug("A connection could not be given back as it was; its pool discards it", e);
        } finally {
            closeQuietly(connection);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("A connection could not be closed", e);
        }
    }
}

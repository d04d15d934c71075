package io.github.cassandralock.exactlyonce.jdbc;

import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection on which each statement is a transaction of its own. Waits for answers are bounded. {@link #close} restores its
 * settings and returns it to the data source. Belongs to one thread.
 */
public final class StatementConnection implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StatementConnection.class);

    /** The network waits longer, for the server's answer to a statement that the server has ended at its time-out. */
    private static final Duration AFTER_TIMEOUT = Duration.ofSeconds(2);

    private final Connection connection;
    private final Duration timeout;
    private final boolean committedItself;
    private final int networkMillis;

    private StatementConnection(Connection connection, Duration timeout, boolean committedItself, int networkMillis) {
        this.connection = connection;
        this.timeout = timeout;
        this.committedItself = committedItself;
        this.networkMillis = networkMillis;
    }

    /**
     * Takes a connection from a data source. Blocks until it returns one.
     *
     * @param source belongs to the caller
     * @param timeout how long an answer may take, for the database in whole seconds, rounded up. The network waits 2 s longer
     * @return the connection; to be closed
     * @throws NotConnectedException if the data source returns none
     * @throws InterruptedException if the thread was interrupted
     */
    public static StatementConnection open(DataSource source, Duration timeout)
            throws NotConnectedException, InterruptedException {
        return open(source, timeout, true);
    }

    /** @param autoCommit whether each statement is a transaction of its own */
    static StatementConnection open(DataSource source, Duration timeout, boolean autoCommit)
            throws NotConnectedException, InterruptedException {
        requireNoInterrupt();
        try {
            return prepared(source.getConnection(), timeout, autoCommit);
        } catch (SQLException e) {
            requireNoInterrupt(); // a pool whose wait is interrupted leaves the thread interrupted
            throw new NotConnectedException(e);
        }
    }

    /** Requests on one connection. */
    @FunctionalInterface
    public interface Requests<T> {
        T on(StatementConnection connection) throws SQLException;
    }

    /**
     * Sends requests that may be repeated: a repetition changes nothing, so no outcome is unknown. Blocks.
     *
     * @param source belongs to the caller
     * @param timeout how long an answer may take
     * @param requests to send
     * @param failure converts what went wrong, which is REFUSED or NOT_APPLIED
     * @return the result of the requests
     * @throws InterruptedException if the thread was interrupted before it began
     */
    public static <T> T send(
            DataSource source,
            Duration timeout,
            Requests<T> requests,
            BiFunction<FailureMeaning, Exception, RuntimeException> failure)
            throws InterruptedException {
        try (StatementConnection connection = open(source, timeout)) {
            return requests.on(connection);
        } catch (NotConnectedException e) {
            throw failure.apply(FailureMeaning.NOT_APPLIED, e);
        } catch (SQLException e) {
            throw failure.apply(SqlFailures.beforeCommit(e), e);
        }
    }

    static void requireNoInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private static StatementConnection prepared(Connection connection, Duration timeout, boolean autoCommit)
            throws SQLException {
        try {
            StatementConnection opened = new StatementConnection(
                    connection, timeout, connection.getAutoCommit(), connection.getNetworkTimeout());
            connection.setNetworkTimeout(Runnable::run, networkMillis(timeout));
            if (opened.committedItself != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
            return opened;
        } catch (SQLException | RuntimeException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    static int milliseconds(Duration time) {
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, time.toMillis()));
    }

    /** How long the network waits, in milliseconds, for a statement that the database ends at its time-out. */
    static int networkMillis(Duration timeout) {
        return milliseconds(timeout.plus(AFTER_TIMEOUT));
    }

    private PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            statement.setQueryTimeout(milliseconds(timeout.plusMillis(999)) / 1000);
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    public interface Parameters {
        void set(PreparedStatement statement) throws SQLException;
    }

    /**
     * Runs one statement that changes rows, in a transaction of its own. Blocks. A failure after the answer of the database does
     * not change the result.
     *
     * @param sql the statement
     * @param parameters of the statement
     * @return the number of rows that it has changed
     * @throws SQLException if the database refuses, does not answer, or answers with a warning: see {@link Warnings}
     */
    public int update(String sql, Parameters parameters) throws SQLException {
        PreparedStatement statement = prepare(sql);
        try {
            parameters.set(statement);
            int rows = statement.executeUpdate();
            Warnings.requireNone(statement.getWarnings());
            return rows;
        } finally {
            closeQuietly(statement);
        }
    }

    /** Reads a row. */
    @FunctionalInterface
    public interface Row<T> {
        T of(ResultSet row) throws SQLException;
    }

    /**
     * Runs one query. Blocks.
     *
     * @param sql the query
     * @param parameters of the query
     * @param row reads the first row
     * @return the first row; empty if there is none
     * @throws SQLException if the database refuses, or does not answer
     */
    public <T> Optional<T> first(String sql, Parameters parameters, Row<T> row) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            parameters.set(statement);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(row.of(rows)) : Optional.empty();
            }
        }
    }

    public Connection getConnection() {
        return connection;
    }

    /** A failure here changes nothing, because the outcome of each statement is decided already. */
    @Override
    public void close() {
        try {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, networkMillis);
                if (connection.getAutoCommit() != committedItself) {
                    connection.setAutoCommit(committedItself);
                }
            }
        } catch (SQLException e) {
            log.debug("A connection could not be given back as it was; its pool discards it", e);
        } finally {
            closeQuietly(connection);
        }
    }

    static void closeQuietly(AutoCloseable connectionOrStatement) {
        try {
            connectionOrStatement.close();
        } catch (Exception e) {
            log.debug("A connection or statement could not be closed", e);
        }
    }
}

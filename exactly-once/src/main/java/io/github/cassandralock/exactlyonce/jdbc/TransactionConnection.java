package io.github.cassandralock.exactlyonce.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction at READ COMMITTED, with time-outs on the server where it is PostgreSQL. Rolled back when it is closed, unless it
 * was committed. Belongs to one thread.
 */
public final class TransactionConnection implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TransactionConnection.class);

    /** The server's answer to a statement that it has ended at its time-out is worth waiting for. */
    private static final Duration AFTER_STATEMENT_TIMEOUT = Duration.ofSeconds(2);

    private final Connection connection;
    private final boolean committedItself;
    private final int networkMillis;
    private int isolation = Connection.TRANSACTION_READ_COMMITTED;
    private boolean committed;

    private TransactionConnection(Connection connection, boolean committedItself, int networkMillis) {
        this.connection = connection;
        this.committedItself = committedItself;
        this.networkMillis = networkMillis;
    }

    /**
     * Begins a transaction.
     *
     * @param source belongs to the caller
     * @param database that it is of
     * @param lock how long a statement waits for a lock (PostgreSQL)
     * @param idle after which the server ends the transaction if no statement comes (PostgreSQL)
     * @param statement after which the server ends a statement (PostgreSQL); the network is waited for 2 s longer
     * @return the transaction; to be closed
     * @throws NotConnectedException if the data source gives no connection, or no transaction can be begun on it
     * @throws InterruptedException if the thread was interrupted
     */
    public static TransactionConnection begin(
            DataSource source, Database database, Duration lock, Duration idle, Duration statement)
            throws NotConnectedException, InterruptedException {
        StatementConnection.requireNoInterrupt();
        try {
            TransactionConnection transaction = of(source.getConnection());
            try {
                transaction.setUp(database, lock, idle, statement);
                return transaction;
            } catch (SQLException | RuntimeException e) {
                transaction.close();
                throw e;
            }
        } catch (SQLException e) {
            StatementConnection.requireNoInterrupt();
            throw new NotConnectedException(e);
        }
    }

    private static TransactionConnection of(Connection connection) throws SQLException {
        try {
            return new TransactionConnection(connection, connection.getAutoCommit(), connection.getNetworkTimeout());
        } catch (SQLException | RuntimeException e) {
            StatementConnection.closeQuietly(connection);
            throw e;
        }
    }

    private void setUp(Database database, Duration lock, Duration idle, Duration statement) throws SQLException {
        connection.setNetworkTimeout(
                Runnable::run, StatementConnection.milliseconds(statement.plus(AFTER_STATEMENT_TIMEOUT)));
        connection.setAutoCommit(false);
        switch (database) {
            case POSTGRESQL -> setUpOnServer(lock, idle, statement);
            case H2 -> {
                isolation = connection.getTransactionIsolation();
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
        }
    }

    /** All of it ends with the transaction, and goes to the server at once. */
    private void setUpOnServer(Duration lock, Duration idle, Duration statement) throws SQLException {
        try (Statement setUp = connection.createStatement()) {
            setUp.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = " + lock.toMillis()
                    + "; SET LOCAL idle_in_transaction_session_timeout = " + idle.toMillis()
                    + "; SET LOCAL statement_timeout = " + statement.toMillis());
        }
    }

    /** The connection. */
    public Connection get() {
        return connection;
    }

    /**
     * Whether the transaction will be on the disk, and on the synchronous standby, when its commit is acknowledged. A statement of it
     * may have changed that. Asks the database, so that it also finds out whether a statement of the transaction has failed:
     * PostgreSQL rolls such a transaction back when it is to be committed, and its driver's commit returns as if all were well.
     *
     * @param database that it is of
     * @throws SQLException if a statement has failed, or the database does not answer
     */
    public boolean isKept(Database database) throws SQLException {
        return database.keepsCommits(connection);
    }

    /**
     * Commits.
     *
     * @throws SQLException if the database does not say that it has committed, or says so with a warning
     */
    public void commit() throws SQLException {
        connection.clearWarnings();
        connection.commit();
        committed = true;
        Warnings.requireNone(connection.getWarnings());
    }

    /** Rolls back what was not committed. What was committed is decided already, so a failure here changes nothing. */
    @Override
    public void close() {
        try {
            if (!connection.isClosed()) {
                if (!committed) {
                    connection.rollback();
                }
                giveBackAsItWas();
            }
        } catch (SQLException e) {
            log.debug("A transaction could not be rolled back, or its connection not given back as it was", e);
        } finally {
            StatementConnection.closeQuietly(connection);
        }
    }

    private void giveBackAsItWas() throws SQLException {
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(isolation);
        }
        if (committedItself) {
            connection.setAutoCommit(true);
        }
        connection.setNetworkTimeout(Runnable::run, networkMillis);
    }
}

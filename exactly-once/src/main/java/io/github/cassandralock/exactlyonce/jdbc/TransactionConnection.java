package io.github.cassandralock.exactlyonce.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction at READ COMMITTED, with time-outs on the server if that is PostgreSQL. Unless it was committed, {@link #close}
 * rolls it back. Belongs to one thread.
 */
public final class TransactionConnection implements LocalTransaction {

    private static final Logger log = LoggerFactory.getLogger(TransactionConnection.class);

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
     * Begins a transaction. Blocks until the data source returns a connection and the database answers.
     *
     * @param source belongs to the caller
     * @param settings of the transaction
     * @return the transaction; to be closed
     * @throws NotConnectedException if the data source returns no connection, or no transaction can be begun on it
     * @throws InterruptedException if the thread was interrupted
     */
    public static TransactionConnection begin(DataSource source, TransactionSettings settings)
            throws NotConnectedException, InterruptedException {
        StatementConnection.requireNoInterrupt();
        try {
            TransactionConnection transaction = of(source.getConnection());
            try {
                transaction.setUp(settings);
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

    private void setUp(TransactionSettings settings) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, settings.networkMillis());
        connection.setAutoCommit(false);
        settings.setUpOnServer(connection);
        if (settings.database() == Database.H2) {
            isolation = connection.getTransactionIsolation();
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    @Override
    public void commit() throws SQLException {
        connection.clearWarnings();
        connection.commit();
        committed = true;
        Warnings.requireNone(connection.getWarnings());
    }

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

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

    private final StatementConnection taken;
    private final Connection connection;
    private int isolation = Connection.TRANSACTION_READ_COMMITTED;
    private boolean committed;

    private TransactionConnection(StatementConnection taken) {
        this.taken = taken;
        this.connection = taken.getConnection();
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
        TransactionConnection transaction =
                new TransactionConnection(StatementConnection.open(source, settings.statement(), false));
        try {
            transaction.setUp(settings);
            return transaction;
        } catch (SQLException e) {
            transaction.close();
            StatementConnection.requireNoInterrupt();
            throw new NotConnectedException(e);
        } catch (RuntimeException e) {
            transaction.close();
            throw e;
        }
    }

    private void setUp(TransactionSettings settings) throws SQLException {
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

    /** After a failure, the connection is not given back as it was: that could commit what was not rolled back. */
    @Override
    public void close() {
        try {
            if (!connection.isClosed()) {
                if (!committed) {
                    connection.rollback();
                }
                if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                    connection.setTransactionIsolation(isolation);
                }
            }
            taken.close();
        } catch (SQLException | RuntimeException e) {
            log.debug("A transaction could not be rolled back, or its connection not given back as it was", e);
            StatementConnection.closeQuietly(connection);
        }
    }
}

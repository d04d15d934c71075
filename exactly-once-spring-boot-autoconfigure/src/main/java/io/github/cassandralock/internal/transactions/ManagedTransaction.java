package io.github.cassandralock.internal.transactions;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.jdbc.LocalTransaction;
import io.github.cassandralock.exactlyonce.jdbc.SqlFailures;
import io.github.cassandralock.exactlyonce.jdbc.TransactionSettings;
import io.github.cassandralock.exactlyonce.jdbc.Warnings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A transaction that a transaction manager has begun on this thread. */
final class ManagedTransaction implements LocalTransaction {

    private static final Logger log = LoggerFactory.getLogger(ManagedTransaction.class);

    /** The SQL state of a transaction that was rolled back. */
    private static final String ROLLBACK = "40000";

    private final PlatformTransactionManager manager;
    private final TransactionStatus status;
    private final DataSource source;
    private final ConnectionHolder holder;
    private final Connection connection;
    private final int networkMillis;
    private final WatchedCommit commit = new WatchedCommit();

    /** Sets up a transaction that has just begun. Blocks. */
    ManagedTransaction(
            PlatformTransactionManager manager,
            TransactionStatus status,
            DataSource source,
            ConnectionHolder holder,
            TransactionSettings settings)
            throws SQLException {
        this.manager = manager;
        this.status = status;
        this.source = source;
        this.holder = holder;
        this.connection = connectionOf(holder);
        this.networkMillis = connection.getNetworkTimeout();
        TransactionSynchronizationManager.registerSynchronization(commit);
        connection.setNetworkTimeout(Runnable::run, settings.networkMillis());
        settings.setUpOnServer(connection);
    }

    /** A manager may get the connection at the first use only. */
    private static Connection connectionOf(ConnectionHolder holder) throws SQLException {
        try {
            return holder.getConnection();
        } catch (RuntimeException e) {
            throw sqlExceptionOf(e);
        }
    }

    /** What the driver threw, beneath the exceptions of libraries; without a state if it threw nothing. */
    static SQLException sqlExceptionOf(Throwable e) {
        return SqlFailures.among(e).orElseGet(() -> new SQLException(e.toString(), e));
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    @Override
    public void flush() {
        status.flush();
    }

    @Override
    public void requireWhole() throws SQLException {
        if (TransactionSynchronizationManager.getResource(source) != holder) {
            throw new IllegalStateException(
                    "The effect has left a transaction open, or has ended the transaction that it runs in. End each"
                            + " transaction where it was begun");
        }
        if (status.isRollbackOnly()) {
            throw new SQLException(
                    "The effect, or a transactional method that has failed in it, has marked the transaction as rollback-only",
                    ROLLBACK);
        }
    }

    @Override
    public boolean isKept(Database database) throws SQLException {
        requireWhole();
        return LocalTransaction.super.isKept(database);
    }

    /** A manager's exception decides nothing: listeners may have thrown it after the commit. */
    @Override
    public void commit() throws SQLException {
        connection.clearWarnings();
        try {
            manager.commit(status);
        } catch (RuntimeException | Error e) {
            if (!commit.done) {
                throw sqlExceptionOf(e);
            }
            log.warn(
                    "The transaction of an effect was committed, and something that was called after its commit has failed",
                    e);
        }
        commit.requireClear();
    }

    @Override
    public void close() {
        if (!status.isCompleted()) {
            try {
                manager.rollback(status);
            } catch (RuntimeException e) {
                log.debug("A transaction could not be rolled back", e);
            }
        }
    }

    /**
     * Records whether the database has committed, and with which warning, before the manager returns the connection. Called before
     * the application's own synchronizations, which may throw.
     */
    private final class WatchedCommit implements TransactionSynchronization {

        private boolean done;
        private @Nullable SQLWarning warning;
        private @Nullable SQLException unread;

        /** @throws SQLException if the commit was not seen, or the database has answered to it with a warning */
        void requireClear() throws SQLException {
            if (!done) {
                throw new SQLException("The transaction manager has not reported whether it has committed");
            }
            if (unread != null) {
                throw new SQLException("The answer of the database to the commit could not be read", unread);
            }
            Warnings.requireNone(warning);
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void afterCommit() {
            done = true;
            try {
                warning = connection.getWarnings();
            } catch (SQLException e) {
                unread = e;
            }
        }

        @Override
        public void afterCompletion(int outcome) {
            try {
                connection.setNetworkTimeout(Runnable::run, networkMillis);
            } catch (SQLException e) {
                log.debug("A connection could not be given back as it was; its pool discards it", e);
            }
        }
    }
}

package io.github.cassandralock.internal.transactions;

import io.github.cassandralock.exactlyonce.jdbc.Warnings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Records whether the database has committed, and with which warning, before the manager returns the connection. Called before the
 * application's own synchronizations, which may throw. Belongs to one thread.
 */
final class WatchedCommit implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(WatchedCommit.class);

    private final Connection connection;
    private final int networkMillis;
    private boolean done;
    private @Nullable SQLWarning warning;
    private @Nullable SQLException unread;

    /** @param networkMillis what the connection had before */
    WatchedCommit(Connection connection, int networkMillis) {
        this.connection = connection;
        this.networkMillis = networkMillis;
    }

    boolean isDone() {
        return done;
    }

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
    public void afterCompletion(int status) {
        try {
            connection.setNetworkTimeout(Runnable::run, networkMillis);
        } catch (SQLException e) {
            log.debug("A connection could not be given back as it was; its pool discards it", e);
        }
    }
}

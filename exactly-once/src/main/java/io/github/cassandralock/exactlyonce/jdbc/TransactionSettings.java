package io.github.cassandralock.exactlyonce.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a transaction at READ COMMITTED. H2 has no such time-outs on the server.
 *
 * @param database of the transaction
 * @param lock how long a statement waits for a lock (PostgreSQL)
 * @param idle after which the server ends a transaction that gets no statement (PostgreSQL)
 * @param statement after which the server ends a statement (PostgreSQL); the network waits 2 s longer
 * @param deferred whether the caller of {@link LocalTransactions#begin} sends {@link #setUp} with its first query, which saves a
 *     request
 */
public record TransactionSettings(
        Database database, Duration lock, Duration idle, Duration statement, boolean deferred) {

    /**
     * Checks the time-outs in the settings of an application.
     *
     * @param what the transactions belong to, such as "a sink"
     * @param whose the possessive pronoun of it, such as "its"
     * @throws IllegalArgumentException if one of them is out of bounds, or the one of statements is the shorter one
     */
    public static void requireTimeouts(String what, String whose, Duration lock, Duration idle, Duration statement) {
        for (Duration time : List.of(lock, idle, statement)) {
            if (time.toMillis() < 1 || time.toMillis() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("A time-out of " + what + " is from 1 ms to 24 days, not " + time);
            }
        }
        if (statement.compareTo(lock) < 0) {
            throw new IllegalArgumentException("The statement time-out of " + what + " must not be shorter than "
                    + whose + " lock time-out of " + lock + ", but is " + statement);
        }
    }

    /**
     * Sets the transaction up on PostgreSQL by one request; does nothing on H2, or if that is deferred. All settings end with the
     * transaction. Blocks.
     *
     * @param connection in a transaction that has sent no statement yet
     */
    public void setUpOnServer(Connection connection) throws SQLException {
        if (!deferred && database == Database.POSTGRESQL) {
            try (Statement statements = connection.createStatement()) {
                statements.execute(setUp());
            }
        }
    }

    /** The statements that set the transaction up, each with a semicolon at its end; empty on H2. */
    public String setUp() {
        return switch (database) {
            case POSTGRESQL ->
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = " + lock.toMillis()
                        + "; SET LOCAL idle_in_transaction_session_timeout = " + idle.toMillis()
                        + "; SET LOCAL statement_timeout = " + statement.toMillis() + "; " + Database.markAsOpen()
                        + "; ";
            case H2 -> "";
        };
    }

    /** How long the network waits, in milliseconds. */
    public int networkMillis() {
        return StatementConnection.networkMillis(statement);
    }
}

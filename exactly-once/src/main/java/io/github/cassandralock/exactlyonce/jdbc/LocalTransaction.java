package io.github.cassandralock.exactlyonce.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * One transaction of one database, on one connection. It is rolled back when it is closed, unless it was committed. Belongs to one
 * thread. Methods block for the time-outs with which it was begun.
 */
public interface LocalTransaction extends AutoCloseable {

    /** The connection. */
    Connection get();

    /** Sends to the database what libraries have kept back until the commit, such as the changed entities of JPA. */
    default void flush() {}

    /**
     * Whether the transaction will be on the disk, and on the synchronous standby, when its commit is acknowledged. A statement of it
     * may have changed that. Asks the database, so that it also finds out whether a statement of the transaction has failed:
     * PostgreSQL rolls such a transaction back when it is to be committed, and its driver's commit returns as if all were well.
     *
     * @param database that it is of
     * @throws SQLException if the transaction cannot be committed any more, or the database does not answer
     */
    default boolean isKept(Database database) throws SQLException {
        return database.keepsCommits(get());
    }

    /**
     * Commits.
     *
     * @throws SQLException if the database does not say that it has committed, or says so with a warning; see {@link SqlFailures}
     */
    void commit() throws SQLException;

    /** Rolls back what was not committed. What was committed is decided already, so a failure here changes nothing. */
    @Override
    void close();
}

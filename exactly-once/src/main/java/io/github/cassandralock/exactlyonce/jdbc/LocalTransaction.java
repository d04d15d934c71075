package io.github.cassandralock.exactlyonce.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * One transaction of one database, on one connection. Unless it was committed, {@link #close} rolls it back. Belongs to one thread.
 * Methods block for the time-outs with which it was begun.
 */
public interface LocalTransaction extends AutoCloseable {

    Connection getConnection();

    /** Sends to the database what libraries hold back until the commit, such as the changed entities of JPA. */
    default void flush() {}

    /**
     * Checks without a request that the transaction is the one that was begun, and that it can be committed.
     *
     * @throws SQLException if the transaction cannot be committed any more
     * @throws IllegalStateException if another transaction was left open, or this transaction was ended
     */
    default void requireWhole() throws SQLException {}

    /**
     * Whether the transaction will be on the disk, and on the synchronous standby, when its commit is acknowledged. A statement in
     * it may have changed that. The query also fails if an earlier statement has failed. PostgreSQL would then answer a commit by a
     * rollback, and its driver's commit would return normally.
     *
     * @param database of the transaction
     * @throws SQLException if the transaction cannot be committed any more, or the database does not answer
     */
    default boolean isKept(Database database) throws SQLException {
        return database.keepsCommits(getConnection());
    }

    /**
     * @throws SQLException if the database does not acknowledge the commit, or acknowledges it with a warning; see {@link
     *     SqlFailures}
     */
    void commit() throws SQLException;

    /** Rolls back what was not committed. A failure here changes nothing, because a commit is decided already. */
    @Override
    void close();
}

package io.github.cassandralock.exactlyonce.sink.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The transaction of one message. To be used by the thread that was called, until its {@link JdbcEffect} returns. */
public interface SinkTransaction {

    /**
     * The connection to send statements on. It refuses to commit, to roll back, to close, and to change autocommit, savepoints or
     * isolation: the sink does that. It, its statements, results and metadata cannot be unwrapped. What the SQL statements {@code COMMIT} and
     * {@code ROLLBACK} do is noticed in PostgreSQL when the effect returns: the copy ends, and what was committed stays.
     */
    Connection connection();

    /**
     * Writes the next row of the sink's outbox. Rows are numbered 0, 1, 2, … without a gap; the row is there if the transaction is
     * committed.
     *
     * @param payloads of the row, and of the message that a pump makes of it
     * @return the number of the row
     * @throws IllegalArgumentException if the payloads are too large for a message
     * @throws SQLException if the database refuses or does not answer
     */
    long send(List<byte[]> payloads) throws SQLException;
}

package io.github.cassandralock.exactlyonce.sink.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The transaction of one message. Only the called thread may use it, until its {@link JdbcEffect} returns. */
public interface SinkTransaction {

    /**
     * The connection for statements. The sink alone ends and sets up the transaction. The methods {@code commit}, {@code rollback},
     * {@code close}, {@code abort} and {@code unwrap} throw {@link IllegalStateException}. Methods that change autocommit,
     * savepoints, isolation, read-only mode or the network time-out throw it as well. Its statements, results and metadata cannot
     * be unwrapped either. In PostgreSQL, the SQL statements {@code COMMIT} and {@code ROLLBACK} are detected when the effect
     * returns. The copy then ends, and what was committed stays.
     */
    Connection getConnection();

    /**
     * Writes the next row of the sink's outbox. Rows are numbered 0, 1, 2, … without a gap. The row exists if the transaction is
     * committed.
     *
     * @param payloads of the row, and of the message that a pump makes of it
     * @return the number of the row
     * @throws IllegalArgumentException if the payloads are too large for a message
     * @throws SQLException if the database refuses or does not answer
     */
    long send(List<byte[]> payloads) throws SQLException;
}

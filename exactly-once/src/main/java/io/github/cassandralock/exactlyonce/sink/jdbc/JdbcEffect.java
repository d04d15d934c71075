package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.queue.Message;
import java.sql.SQLException;

/** What a message does to the database. */
@FunctionalInterface
public interface JdbcEffect {

    /**
     * Makes the effect. It is committed together with the sink's index, or not at all. Several copies may call it, several times
     * for one message, but at most one call is committed. It therefore does nothing outside of the transaction. It keeps the
     * transaction short, because other copies wait for the row that the transaction has locked. A message that cannot be applied
     * must still have an effect, such as a booking to a suspense account. An exception stops the sink, or the message is tried
     * again while all later messages wait. The effect does not catch exceptions of statements: PostgreSQL rolls back a transaction
     * in which a statement has failed, H2 does not.
     *
     * @param transaction for statements and outbox rows
     * @param message to take
     * @throws SQLException if the database refuses or does not answer: nothing is committed. After transient errors, such as
     *     locks that are not available, the message is tried again; others end the copy. An SQLException among the causes of
     *     another exception counts as well. Any other exception is a failure of the effect. It is reported, and the message is
     *     tried again after a pause
     */
    void apply(SinkTransaction transaction, Message message) throws SQLException;
}

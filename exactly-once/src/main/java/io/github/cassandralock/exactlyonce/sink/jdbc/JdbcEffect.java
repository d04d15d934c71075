package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.queue.Message;
import java.sql.SQLException;

/** What a message does to the database. */
@FunctionalInterface
public interface JdbcEffect {

    /**
     * Makes the effect. It is committed together with the sink's index, or not at all. It may be called several times for one
     * message, by several copies, but one call at most is committed; so it does nothing outside of the transaction. It keeps
     * the transaction short: other copies wait for the row that the transaction has locked. A message that cannot be applied
     * must have an effect all the same, such as a booking to a suspense account; what is thrown stops the sink, or is tried again
     * while all later messages wait. It does not catch what statements throw: PostgreSQL rolls back a transaction in which one has failed, H2 does not.
     *
     * @param transaction to send statements and outbox rows in
     * @param message to take
     * @throws SQLException if the database refuses or does not answer: nothing is committed. Errors that pass, such as locks that
     *     are not available, are tried again; others end the copy. The same holds for an SQLException among the causes of another
     *     exception. Whatever else is thrown is a failure of the effect: it is told, and the message is tried again after a pause
     */
    void apply(SinkTransaction transaction, Message message) throws SQLException;
}

package io.github.cassandralock.exactlyonce.table.jdbc;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import java.sql.Connection;
import java.util.List;

/** What messages do to the database. */
@FunctionalInterface
public interface TableEffect {

    /**
     * Makes the effects of all messages of a group. They are committed together with the deletion of the messages, or not at all.
     * This method may be called several times for one message, by several copies, but at most one call is committed. It therefore
     * does nothing outside of the transaction. It neither ends the transaction nor catches exceptions of its statements.
     *
     * @param connection of the transaction; its owner ends the transaction and closes it
     * @param payloads of the messages, in the order in which they were pushed
     * @throws Exception if they cannot be applied now. All of the transaction is rolled back. Each message of the group is tried
     *     alone, and a message that fails alone again after a pause
     */
    void apply(Connection connection, List<Bytes> payloads) throws Exception;
}

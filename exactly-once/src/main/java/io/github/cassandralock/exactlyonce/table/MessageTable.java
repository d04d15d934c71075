package io.github.cassandralock.exactlyonce.table;

import java.time.Duration;

/**
 * The port to the messages of one queue, in the database of their effects (docs/exactly-once.md, "Messages in a table").
 * Implementations are thread-safe. Methods block for a bounded time.
 */
public interface MessageTable {

    /**
     * Begins a transaction.
     *
     * @return the transaction; to be closed by the same thread
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if there is no connection
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the database refuses permanently
     * @throws InterruptedException if the thread was interrupted
     */
    TableTransaction begin() throws InterruptedException;

    /**
     * Counts a failure of a message, and hides the message from all copies for a while. Uses a transaction of its own. Changes
     * nothing if the message was deleted meanwhile.
     *
     * @param message whose effect failed
     * @param pause for how long
     * @param reason for people who read the table
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the database does not answer
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the database refuses permanently
     * @throws InterruptedException if the thread was interrupted
     */
    void postpone(TableMessage message, Duration pause, String reason) throws InterruptedException;

    /**
     * Counts the messages that wait, with those that have failed. Locks none.
     *
     * @param most the count ends there, so that it costs no more
     * @return how many messages there are, at most {@code most}
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the database does not answer
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the database refuses permanently
     * @throws InterruptedException if the thread was interrupted
     */
    int count(int most) throws InterruptedException;
}

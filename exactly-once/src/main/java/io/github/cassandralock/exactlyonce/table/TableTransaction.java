package io.github.cassandralock.exactlyonce.table;

import java.util.List;

/**
 * One transaction on a {@link MessageTable}. Unless it was committed, {@link #close} rolls it back, with all effects. Belongs to
 * one thread. Methods block for a bounded time. Except for {@link #commit}, their failures mean that nothing was committed.
 */
public interface TableTransaction extends AutoCloseable {

    /**
     * Reads messages and locks their rows until the transaction ends. Leaves out messages that another transaction has locked, and
     * lanes whose first message is locked.
     *
     * @param most how many
     * @param kind which messages
     * @return the messages; empty if there is none
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the database does not answer
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the database refuses permanently
     * @throws InterruptedException if the thread was interrupted
     */
    List<TableMessage> lock(int most, MessageKind kind) throws InterruptedException;

    /**
     * Reads messages that have failed and are still there, whether their pause is over or not. Locks none.
     *
     * @param most how many
     * @return the messages, in the order in which they are tried again; empty if there is none
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the database does not answer
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the database refuses permanently
     */
    List<FailedMessage> failed(int most);

    /**
     * Makes the effects of messages, in this transaction.
     *
     * @param messages of {@link #lock}
     * @throws MessageFailedException if an effect threw
     */
    void apply(List<TableMessage> messages) throws MessageFailedException;

    /**
     * Deletes messages whose effects were made.
     *
     * @param messages of {@link #lock}
     * @throws MessageFailedException if the database refuses an effect, or a row is not there
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if the database does not answer
     * @throws io.github.cassandralock.exactlyonce.register.RegisterRefusedException if the database would forget the commit
     */
    void delete(List<TableMessage> messages) throws MessageFailedException;

    /**
     * Commits effects and deletions.
     *
     * @throws MessageFailedException if the database refuses an effect: nothing was committed
     * @throws io.github.cassandralock.exactlyonce.register.RegisterUnavailableException if nothing was committed
     * @throws io.github.cassandralock.exactlyonce.register.UnknownOutcomeException if it is unknown whether it was committed
     * @throws InterruptedException if the thread was interrupted: it may have been committed
     */
    void commit() throws MessageFailedException, InterruptedException;

    @Override
    void close();
}

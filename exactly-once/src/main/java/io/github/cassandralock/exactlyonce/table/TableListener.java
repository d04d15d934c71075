package io.github.cassandralock.exactlyonce.table;

import io.github.cassandralock.exactlyonce.copy.CopyListener;
import java.util.List;

/** Receives what a copy does with the messages of a table. {@link CopyListener} describes which threads call it. */
public interface TableListener extends CopyListener {

    /** A transaction of this copy has committed the effects of messages. */
    default void onMessagesTaken(String queue, int messages) {}

    /**
     * The effect of a message has failed for the {@code attempt}th time. It is tried again after a pause. Later ones of its lane
     * wait.
     */
    default void onMessageFailed(String queue, int attempt, Throwable cause) {}

    /** The copy has read at most five messages that failed in any copy and wait; empty if there is none. */
    default void onFailedMessagesRead(String queue, List<FailedMessage> waiting) {}

    /** The database failed for the {@code attempt}th time in succession. The copy tries again after a pause. */
    default void onDatabaseFailed(String queue, int attempt, RuntimeException cause) {}
}

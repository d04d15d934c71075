package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.copy.CopyListener;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;

/** Receives what a copy of a sink does. {@link CopyListener} describes which threads call it, and what must not block. */
public interface SinkListener extends CopyListener {

    /** Does nothing. */
    static SinkListener none() {
        return new SinkListener() {};
    }

    /** This copy's transaction took the message at an index. */
    default void onTaken(String sink, long index) {}

    /** This copy's transaction was rolled back, since another copy had taken the message. Harmless, but wasted work. */
    default void onRefused(String sink) {}

    /** The message that this copy took does not follow the last message of its producer. */
    default void onSequenceViolated(String sink, SequenceViolation violation) {}

    /**
     * A request to the sink's store failed, for the {@code attempt}th time since the sink moved on or was idle. The copy tries
     * again after a pause.
     */
    default void onTransactionFailed(String sink, int attempt, RuntimeException cause) {}
}

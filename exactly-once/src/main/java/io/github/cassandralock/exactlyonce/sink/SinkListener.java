package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import java.time.Duration;
import java.util.List;

/**
 * Receives what a copy of a sink does, for metrics and health. The copy's thread calls all methods but {@link #stepOverdue}, so
 * they must not block. Exceptions are logged and ignored. Several copies may use one listener at the same time.
 */
public interface SinkListener {

    /** Does nothing. */
    static SinkListener none() {
        return new SinkListener() {};
    }

    /** This copy's transaction took the message at an index. */
    default void taken(String sink, long index) {}

    /** This copy's transaction was rolled back, since another copy had taken the message. Harmless, but wasted work. */
    default void refused(String sink) {}

    /** There was nothing to take. */
    default void idle(String sink) {}

    /** The message that this copy took does not follow the last message of its producer. */
    default void sequenceViolated(String sink, SequenceViolation violation) {}

    /**
     * A request to the sink's store failed, for the {@code attempt}th time since the sink moved on or was idle. The copy tries
     * again after a pause.
     */
    default void transactionFailed(String sink, int attempt, RuntimeException cause) {}

    /**
     * The present step takes longer than the limit of the copy's {@link io.github.cassandralock.exactlyonce.copy.StepWatch}: code
     * of the user hangs, or a store does not answer. The thread of the watch calls this when the limit is over, and again each time
     * the step has taken twice as long.
     *
     * @param lasting for how long the step has lasted
     * @param stack where the thread of the copy is, innermost frame first; at most 50 frames
     */
    default void stepOverdue(String sink, Duration lasting, List<StackTraceElement> stack) {}

    /** This copy ends although nobody closed it. */
    default void failed(String sink, Throwable cause) {}
}

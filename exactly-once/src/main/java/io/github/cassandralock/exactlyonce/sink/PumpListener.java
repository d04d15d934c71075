package io.github.cassandralock.exactlyonce.sink;

import java.time.Duration;
import java.util.List;

/**
 * Receives what a copy of a pump does, for metrics and health. The copy's thread calls all methods but {@link #stepOverdue}, so
 * they must not block. Exceptions are logged and ignored. Several copies may use one listener at the same time.
 */
public interface PumpListener {

    /** Does nothing. */
    static PumpListener none() {
        return new PumpListener() {};
    }

    /** A row is in the queue: this copy or another copy has pushed it. */
    default void pushed(String pump, long row) {}

    /** There was no row to push. */
    default void idle(String pump) {}

    /** The outbox did not answer, for the {@code attempt}th time since its last answer. The copy tries again after a pause. */
    default void outboxFailed(String pump, int attempt, RuntimeException cause) {}

    /** No sink has begun to write the outbox, for longer than a start takes. Called at every attempt. */
    default void standingBy(String pump, String why) {}

    /** The queue is a full ring; the given consumers are the slowest. Called at every attempt. */
    default void ringFull(String pump, String queue, List<String> slowestConsumers) {}

    /** The ring has room again. */
    default void ringFreed(String pump, String queue) {}

    /**
     * The present step takes longer than the limit of the copy's {@link io.github.cassandralock.exactlyonce.copy.StepWatch}: code
     * of the user hangs, or a store does not answer. The thread of the watch calls this when the limit is over, and again each time
     * the step has taken twice as long.
     *
     * @param lasting for how long the step has lasted
     * @param stack where the thread of the copy is, innermost frame first; at most 50 frames
     */
    default void stepOverdue(String pump, Duration lasting, List<StackTraceElement> stack) {}

    /** This copy ends although nobody closed it. */
    default void failed(String pump, Throwable cause) {}
}

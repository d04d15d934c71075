package io.github.cassandralock.exactlyonce.sink;

import java.time.Duration;
import java.util.List;

/**
 * Told what a copy of a pump does, for metrics and health. Called by the copy's thread, unless a method says
 * otherwise, so it must not block; what it throws is logged and ignored. Several copies may use one listener at the same time.
 */
public interface PumpListener {

    /** Does nothing. */
    static PumpListener none() {
        return new PumpListener() {};
    }

    /** This copy knows that a row is in the queue: it has pushed it, or another copy has. */
    default void pushed(String pump, long row) {}

    /** There was no row to push. */
    default void idle(String pump) {}

    /**
     * The outbox did not answer, for the {@code attempt}th time since the last row that was read or found missing. It is asked again
     * after a pause.
     */
    default void outboxFailed(String pump, int attempt, RuntimeException cause) {}

    /** No sink has begun to write the outbox, for longer than a start takes. Told at every attempt. */
    default void standingBy(String pump, String why) {}

    /** The queue is a ring and full; those consumers are the slowest. Told at every attempt. */
    default void ringFull(String pump, String queue, List<String> slowestConsumers) {}

    /** The queue is not full any more. */
    default void ringFreed(String pump, String queue) {}

    /**
     * The present step takes longer than the limit of the copy's {@link io.github.cassandralock.exactlyonce.copy.StepWatch}: code of the
     * user hangs, or a store does not answer. Told by the thread of the watch, when the limit is over and again each time the step has
     * taken twice as long.
     *
     * @param lasting for how long the step has lasted
     * @param stack where the thread of the copy is, innermost frame first; 50 frames at most
     */
    default void stepOverdue(String pump, Duration lasting, List<StackTraceElement> stack) {}

    /** This copy ends although nobody closed it. */
    default void failed(String pump, Throwable cause) {}
}

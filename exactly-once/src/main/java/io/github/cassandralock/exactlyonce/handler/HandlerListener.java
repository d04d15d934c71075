package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import java.time.Duration;
import java.util.List;

/**
 * Told what a copy of a handler does, for metrics and health. Called by the copy's thread, unless a method says
 * otherwise, so it must not block; what it throws is logged and ignored. Several copies may use one listener at the same time.
 */
public interface HandlerListener {

    /** Does nothing. */
    static HandlerListener none() {
        return new HandlerListener() {};
    }

    /**
     * A compare-and-set of this copy decided the step.
     *
     * @param step its number
     * @param messages how many it took from input queues; 0 for the step that follows an effect
     */
    default void stepCommitted(String handler, long step, int messages) {}

    /** A compare-and-set of this copy was refused, or nobody can say: another copy was faster. Harmless; work for nothing. */
    default void stepRefused(String handler) {}

    /** There was nothing to take from any input queue. */
    default void idle(String handler) {}

    /**
     * A step of this copy took a message that does not follow the one before of its producer. Told once for each step, or more often
     * if nobody can say which copy committed it.
     */
    default void sequenceViolated(String handler, SequenceViolation violation) {}

    /** An output queue is a ring and full; those consumers are the slowest. Told at every attempt. */
    default void ringFull(String handler, String queue, List<String> slowestConsumers) {}

    /** The output queue is not full any more. */
    default void ringFreed(String handler, String queue) {}

    /** The user's function threw, for the {@code attempt}th time with the same state. It is called again after a pause. */
    default void functionFailed(String handler, int attempt, Throwable cause) {}

    /**
     * The function of a handler that parks messages fails with every message that was tried: what it depends on is down, or this copy
     * is broken. No message is parked; the function is called again after a growing pause. Told after {@link #functionFailed}, at every
     * attempt.
     *
     * @param messages how many different messages were tried
     * @param lasting since the first failure
     */
    default void allMessagesFail(String handler, int messages, Duration lasting, Throwable cause) {}

    /** The committed step of this copy put a message aside that the user's function could not handle. */
    default void parked(String handler, Inputs.Input input, Throwable cause) {}

    /**
     * The state has a format that this copy does not know, or names a queue or sink that it is not configured with: it does nothing
     * until it does. Told at every attempt.
     */
    default void standingBy(String handler, String why) {}

    /**
     * The present step takes longer than the limit of the copy's {@link io.github.cassandralock.exactlyonce.copy.StepWatch}: code of the
     * user hangs, or a store does not answer. Told by the thread of the watch, when the limit is over and again each time the step has
     * taken twice as long.
     *
     * @param lasting for how long the step has lasted
     * @param stack where the thread of the copy is, innermost frame first; 50 frames at most
     */
    default void stepOverdue(String handler, Duration lasting, List<StackTraceElement> stack) {}

    /** This copy ends although nobody closed it. */
    default void failed(String handler, Throwable cause) {}
}

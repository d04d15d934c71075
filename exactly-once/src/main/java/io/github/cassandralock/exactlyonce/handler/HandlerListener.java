package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.copy.CopyListener;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import java.time.Duration;
import java.util.List;

/** Receives what a copy of a handler does. {@link CopyListener} describes which threads call it, and what must not block. */
public interface HandlerListener extends CopyListener {

    /** Does nothing. */
    static HandlerListener none() {
        return new HandlerListener() {};
    }

    /**
     * A compare-and-set of this copy decided the step.
     *
     * @param step its number
     * @param messages how many it took from input queues; 0 for a step that follows an effect
     */
    default void onStepCommitted(String handler, long step, int messages) {}

    /**
     * A compare-and-set of this copy was refused, or its outcome is unknown: another copy was faster. Harmless, but wasted work.
     */
    default void onStepRefused(String handler) {}

    /**
     * A step of this copy took a message that does not follow the last message of its producer. Called once for each step, or more
     * often if it is unknown which copy committed the step.
     */
    default void onSequenceViolated(String handler, SequenceViolation violation) {}

    /** An output queue is a full ring; the given consumers are the slowest. Called at every attempt. */
    default void onRingFull(String handler, String queue, List<String> slowestConsumers) {}

    /** The ring of the output queue has room again. */
    default void onRingFreed(String handler, String queue) {}

    /**
     * The user's function threw, for the {@code attempt}th time with the present state. It is called again after a pause. If the
     * failing message cannot be parked for lack of room, this method is called once more.
     */
    default void onFunctionFailed(String handler, int attempt, Throwable cause) {}

    /**
     * The function of a handler that parks messages fails with every message that was tried. A dependency is down, or this copy
     * is broken. No message is parked. The function is called again after a growing pause. Called after {@link
     * #onFunctionFailed}, at every attempt.
     *
     * @param messages how many different messages were tried
     * @param lasting since the first failure
     */
    default void onAllMessagesFail(String handler, int messages, Duration lasting, Throwable cause) {}

    /** The committed step of this copy parked a message that the user's function could not handle. */
    default void onParked(String handler, Inputs.Input input, Throwable cause) {}

    /**
     * The state has a format that this copy does not support, or refers to an unconfigured queue or sink. The copy does nothing
     * until that changes. Called at every attempt.
     */
    default void onStandingBy(String handler, String why) {}
}

package io.github.cassandralock.exactlyonce.copy;

import java.time.Duration;
import java.util.List;

/**
 * Receives what a copy of a handler, sink or pump does, for metrics and health. The copy's thread calls all methods but {@link
 * #onStepOverdue}, so they must not block. Exceptions are logged and ignored. Several copies may use one listener at the same time.
 */
public interface CopyListener {

    /**
     * There was nothing to do: no input queue had a message, or the outbox had no row.
     *
     * @param name of the handler, sink or pump
     */
    default void onIdle(String name) {}

    /**
     * The present step takes longer than the limit of the copy's {@link StepWatch}. Code of the user hangs, or a store does not
     * answer. A daemon thread of the copy calls this when the limit is over. It repeats the call each time the step has taken twice
     * as long. It leaves out reports until the listeners of the copy have returned from the one before. {@link Copy#close}
     * interrupts it.
     *
     * @param name of the handler, sink or pump
     * @param lasting for how long the step has lasted
     * @param stack where the thread of the copy is, innermost frame first; at most 50 frames
     */
    default void onStepOverdue(String name, Duration lasting, List<StackTraceElement> stack) {}

    /**
     * This copy ends although nobody closed it.
     *
     * @param name of the handler, sink or pump
     * @param cause why
     */
    default void onFailed(String name, Throwable cause) {}
}

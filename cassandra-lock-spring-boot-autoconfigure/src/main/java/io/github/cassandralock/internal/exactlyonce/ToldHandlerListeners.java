package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells several listeners, in their order. One that throws keeps nothing from those after it.
 *
 * @param listeners to tell
 */
record ToldHandlerListeners(List<HandlerListener> listeners) implements HandlerListener {

    private static final Logger log = LoggerFactory.getLogger(ToldHandlerListeners.class);

    ToldHandlerListeners {
        listeners = List.copyOf(listeners);
    }

    private void each(Consumer<HandlerListener> event) {
        for (HandlerListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                log.warn("{} failed, which changes nothing for the handler", listener, e);
            }
        }
    }

    @Override
    public void stepCommitted(String handler, long step, int messages) {
        each(listener -> listener.stepCommitted(handler, step, messages));
    }

    @Override
    public void stepRefused(String handler) {
        each(listener -> listener.stepRefused(handler));
    }

    @Override
    public void idle(String handler) {
        each(listener -> listener.idle(handler));
    }

    @Override
    public void sequenceViolated(String handler, SequenceViolation violation) {
        each(listener -> listener.sequenceViolated(handler, violation));
    }

    @Override
    public void ringFull(String handler, String queue, List<String> slowestConsumers) {
        each(listener -> listener.ringFull(handler, queue, slowestConsumers));
    }

    @Override
    public void ringFreed(String handler, String queue) {
        each(listener -> listener.ringFreed(handler, queue));
    }

    @Override
    public void functionFailed(String handler, int attempt, Throwable cause) {
        each(listener -> listener.functionFailed(handler, attempt, cause));
    }

    @Override
    public void parked(String handler, Inputs.Input input, Throwable cause) {
        each(listener -> listener.parked(handler, input, cause));
    }

    @Override
    public void standingBy(String handler, String why) {
        each(listener -> listener.standingBy(handler, why));
    }

    @Override
    public void failed(String handler, Throwable cause) {
        each(listener -> listener.failed(handler, cause));
    }
}

package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.copy.Listeners;
import io.github.cassandralock.exactlyonce.queue.PushAnswer.RingFull;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what an operator has to know into the log, and keeps what listeners throw from the protocol. Used by one thread. */
final class SafeHandlerListener implements HandlerListener {

    private static final Logger log = LoggerFactory.getLogger(HandlerCopy.class);

    private final Listeners<HandlerListener> listeners;
    private final Set<String> fullRings = new HashSet<>();
    private String lastStandBy = "";

    SafeHandlerListener(List<HandlerListener> listeners) {
        this.listeners = new Listeners<>(listeners);
    }

    @Override
    public void stepCommitted(String handler, long step, int messages) {
        listeners.tell(listener -> listener.stepCommitted(handler, step, messages));
    }

    @Override
    public void stepRefused(String handler) {
        listeners.tell(listener -> listener.stepRefused(handler));
    }

    @Override
    public void idle(String handler) {
        listeners.tell(listener -> listener.idle(handler));
    }

    @Override
    public void sequenceViolated(String handler, SequenceViolation violation) {
        log.error("Handler {}: {}", handler, violation);
        listeners.tell(listener -> listener.sequenceViolated(handler, violation));
    }

    @Override
    public void ringFull(String handler, String queue, List<String> slowestConsumers) {
        if (fullRings.add(queue)) {
            log.warn("Handler {} waits, since {}", handler, RingFull.explained(queue, slowestConsumers));
        }
        listeners.tell(listener -> listener.ringFull(handler, queue, slowestConsumers));
    }

    @Override
    public void ringFreed(String handler, String queue) {
        if (fullRings.remove(queue)) {
            listeners.tell(listener -> listener.ringFreed(handler, queue));
        }
    }

    @Override
    public void functionFailed(String handler, int attempt, Throwable cause) {
        log.warn(
                "The function of handler {} failed, attempt {}; it is called again after a pause",
                handler,
                attempt,
                cause);
        listeners.tell(listener -> listener.functionFailed(handler, attempt, cause));
    }

    @Override
    public void parked(String handler, Inputs.Input input, Throwable cause) {
        log.error(
                "Handler {} has put aside {} at index {} of queue {}, since its function failed: {}",
                handler,
                input.message(),
                input.index(),
                input.queue(),
                cause.toString());
        listeners.tell(listener -> listener.parked(handler, input, cause));
    }

    @Override
    public void standingBy(String handler, String why) {
        if (!why.equals(lastStandBy)) {
            lastStandBy = why;
            log.warn("This copy of handler {} stands by: {}", handler, why);
        }
        listeners.tell(listener -> listener.standingBy(handler, why));
    }

    @Override
    public void failed(String handler, Throwable cause) {
        listeners.tell(listener -> listener.failed(handler, cause));
    }
}

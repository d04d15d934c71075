package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what an operator has to know into the log, and keeps what a listener throws from the protocol. Used by one thread. */
final class SafeHandlerListener implements HandlerListener {

    private static final Logger log = LoggerFactory.getLogger(HandlerCopy.class);

    private final HandlerListener listener;
    private final Set<String> fullRings = new HashSet<>();
    private String lastStandBy = "";

    SafeHandlerListener(HandlerListener listener) {
        this.listener = listener;
    }

    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            log.warn("A listener of a handler failed, which changes nothing for the handler", e);
        }
    }

    @Override
    public void stepCommitted(String handler, long step, int messages) {
        tell(() -> listener.stepCommitted(handler, step, messages));
    }

    @Override
    public void stepRefused(String handler) {
        tell(() -> listener.stepRefused(handler));
    }

    @Override
    public void idle(String handler) {
        tell(() -> listener.idle(handler));
    }

    @Override
    public void sequenceViolated(String handler, SequenceViolation violation) {
        log.error("Handler {}: {}", handler, violation);
        tell(() -> listener.sequenceViolated(handler, violation));
    }

    @Override
    public void ringFull(String handler, String queue, List<String> slowestConsumers) {
        if (fullRings.add(queue)) {
            log.warn(
                    "Handler {} waits, since the ring of its output queue {} is full, and {} has not taken its messages. Start"
                            + " the copies of that consumer; if it is gone for good, remove it with MessageQueue.removeConsumer",
                    handler,
                    queue,
                    slowestConsumers);
        }
        tell(() -> listener.ringFull(handler, queue, slowestConsumers));
    }

    @Override
    public void ringFreed(String handler, String queue) {
        if (fullRings.remove(queue)) {
            tell(() -> listener.ringFreed(handler, queue));
        }
    }

    @Override
    public void functionFailed(String handler, int attempt, Throwable cause) {
        log.warn(
                "The function of handler {} failed, attempt {}; it is called again after a pause",
                handler,
                attempt,
                cause);
        tell(() -> listener.functionFailed(handler, attempt, cause));
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
        tell(() -> listener.parked(handler, input, cause));
    }

    @Override
    public void standingBy(String handler, String why) {
        if (!why.equals(lastStandBy)) {
            lastStandBy = why;
            log.warn("This copy of handler {} stands by: {}", handler, why);
        }
        tell(() -> listener.standingBy(handler, why));
    }

    @Override
    public void failed(String handler, Throwable cause) {
        tell(() -> listener.failed(handler, cause));
    }
}

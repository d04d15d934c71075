package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.copy.Listeners;
import io.github.cassandralock.exactlyonce.copy.StepWatch;
import io.github.cassandralock.exactlyonce.queue.PushAnswer.RingFull;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what operators need, and keeps exceptions of listeners from the protocol. The copy's thread calls it. */
final class SafeHandlerListener implements HandlerListener {

    private static final Logger log = LoggerFactory.getLogger(HandlerCopy.class);

    private final Listeners<HandlerListener> listeners;
    private final Set<String> fullRings = new HashSet<>();
    private String lastStandBy = "";

    /** How often in succession all messages failed. */
    private int allFailed;

    SafeHandlerListener(Listeners<HandlerListener> listeners) {
        this.listeners = listeners;
    }

    @Override
    public void stepCommitted(String handler, long step, int messages) {
        allFailed = 0;
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
        if (Listeners.isToBeLogged(attempt)) {
            log.warn(
                    "The function of handler {} failed, attempt {}; it is called again after a pause",
                    handler,
                    attempt,
                    cause);
        }
        listeners.tell(listener -> listener.functionFailed(handler, attempt, cause));
    }

    @Override
    public void allMessagesFail(String handler, int messages, Duration lasting, Throwable cause) {
        allFailed++;
        if (Listeners.isToBeLogged(allFailed)) {
            log.warn(
                    "The function of handler {} fails with each of {} messages that were tried, for {}, so no message is parked:"
                            + " check what the function depends on, and this copy if others go on. The last failure: {}",
                    handler,
                    messages,
                    StepWatch.text(lasting),
                    cause.toString());
        }
        listeners.tell(listener -> listener.allMessagesFail(handler, messages, lasting, cause));
    }

    @Override
    public void parked(String handler, Inputs.Input input, Throwable cause) {
        log.error(
                "Handler {} has parked {} at index {} of queue {}, since its function failed: {}",
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
}

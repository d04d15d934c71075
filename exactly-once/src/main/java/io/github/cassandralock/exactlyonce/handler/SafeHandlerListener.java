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
    public void onStepCommitted(String handler, long step, int messages) {
        allFailed = 0;
        listeners.tell(listener -> listener.onStepCommitted(handler, step, messages));
    }

    @Override
    public void onStepRefused(String handler) {
        listeners.tell(listener -> listener.onStepRefused(handler));
    }

    @Override
    public void onIdle(String handler) {
        listeners.tell(listener -> listener.onIdle(handler));
    }

    @Override
    public void onSequenceViolated(String handler, SequenceViolation violation) {
        log.error("Handler {}: {}", handler, violation);
        listeners.tell(listener -> listener.onSequenceViolated(handler, violation));
    }

    @Override
    public void onRingFull(String handler, String queue, List<String> slowestConsumers) {
        if (fullRings.add(queue)) {
            log.warn("Handler {} waits, since {}", handler, RingFull.explained(queue, slowestConsumers));
        }
        listeners.tell(listener -> listener.onRingFull(handler, queue, slowestConsumers));
    }

    @Override
    public void onRingFreed(String handler, String queue) {
        if (fullRings.remove(queue)) {
            listeners.tell(listener -> listener.onRingFreed(handler, queue));
        }
    }

    @Override
    public void onFunctionFailed(String handler, int attempt, Throwable cause) {
        if (Listeners.isToBeLogged(attempt)) {
            log.warn(
                    "The function of handler {} failed, attempt {}; it is called again after a pause",
                    handler,
                    attempt,
                    cause);
        }
        listeners.tell(listener -> listener.onFunctionFailed(handler, attempt, cause));
    }

    @Override
    public void onAllMessagesFail(String handler, int messages, Duration lasting, Throwable cause) {
        allFailed++;
        if (Listeners.isToBeLogged(allFailed)) {
            log.warn(
                    "The function of handler {} fails with each of {} messages that were tried, for {}. No message is"
                            + " parked. Check what the function depends on, and this copy if others go on. The last"
                            + " failure: {}",
                    handler,
                    messages,
                    StepWatch.text(lasting),
                    cause.toString());
        }
        listeners.tell(listener -> listener.onAllMessagesFail(handler, messages, lasting, cause));
    }

    @Override
    public void onParked(String handler, Inputs.Input input, Throwable cause) {
        log.error(
                "Handler {} has parked {} at index {} of queue {}, since its function failed: {}",
                handler,
                input.message(),
                input.index(),
                input.queue(),
                cause.toString());
        listeners.tell(listener -> listener.onParked(handler, input, cause));
    }

    @Override
    public void onStandingBy(String handler, String why) {
        if (!why.equals(lastStandBy)) {
            lastStandBy = why;
            log.warn("This copy of handler {} stands by: {}", handler, why);
        }
        listeners.tell(listener -> listener.onStandingBy(handler, why));
    }
}

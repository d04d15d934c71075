package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.copy.Listeners;
import io.github.cassandralock.exactlyonce.copy.StepWatch;
import io.github.cassandralock.exactlyonce.queue.PushAnswer.RingFull;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what operators need, and keeps exceptions of the listener from the pump. The copy's thread calls all methods but {@link
 * #stepOverdue}, which the thread of the watch calls.
 */
final class SafePumpListener implements PumpListener {

    private static final Logger log = LoggerFactory.getLogger(OutboxPump.class);

    private final Listeners<PumpListener> listeners;
    private boolean ringIsFull;
    private boolean standsBy;

    SafePumpListener(PumpListener listener) {
        this.listeners = new Listeners<>(List.of(listener));
    }

    @Override
    public void pushed(String pump, long row) {
        listeners.tell(listener -> listener.pushed(pump, row));
    }

    @Override
    public void idle(String pump) {
        listeners.tell(listener -> listener.idle(pump));
    }

    @Override
    public void outboxFailed(String pump, int attempt, RuntimeException cause) {
        if (Listeners.isToBeLogged(attempt)) {
            log.warn("Pump {} cannot read its outbox, attempt {}; it tries again after a pause", pump, attempt, cause);
        }
        listeners.tell(listener -> listener.outboxFailed(pump, attempt, cause));
    }

    @Override
    public void standingBy(String pump, String why) {
        if (!standsBy) {
            standsBy = true;
            log.warn("Pump {} stands by, since {}", pump, why);
        }
        listeners.tell(listener -> listener.standingBy(pump, why));
    }

    @Override
    public void ringFull(String pump, String queue, List<String> slowestConsumers) {
        if (!ringIsFull) {
            ringIsFull = true;
            log.warn("Pump {} waits, since {}", pump, RingFull.explained(queue, slowestConsumers));
        }
        listeners.tell(listener -> listener.ringFull(pump, queue, slowestConsumers));
    }

    /** Calls the listener only if the ring was full. */
    @Override
    public void ringFreed(String pump, String queue) {
        if (ringIsFull) {
            ringIsFull = false;
            listeners.tell(listener -> listener.ringFreed(pump, queue));
        }
    }

    @Override
    public void stepOverdue(String pump, Duration lasting, List<StackTraceElement> stack) {
        log.warn(
                "The step of pump {} has taken {} so far: its code hangs, or a store does not answer. Its thread is{}",
                pump,
                StepWatch.text(lasting),
                StepWatch.text(stack));
        listeners.tell(listener -> listener.stepOverdue(pump, lasting, stack));
    }

    @Override
    public void failed(String pump, Throwable cause) {
        listeners.tell(listener -> listener.failed(pump, cause));
    }
}

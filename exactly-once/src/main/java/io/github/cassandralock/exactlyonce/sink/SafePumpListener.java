package io.github.cassandralock.exactlyonce.sink;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what an operator has to know into the log, and keeps what a listener throws from the pump. Used by one thread. */
final class SafePumpListener implements PumpListener {

    private static final Logger log = LoggerFactory.getLogger(OutboxPump.class);

    private final PumpListener listener;
    private boolean ringIsFull;

    SafePumpListener(PumpListener listener) {
        this.listener = listener;
    }

    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            log.warn("A listener of a pump failed, which changes nothing for the pump", e);
        }
    }

    @Override
    public void pushed(String pump, long row) {
        tell(() -> listener.pushed(pump, row));
    }

    @Override
    public void idle(String pump) {
        tell(() -> listener.idle(pump));
    }

    @Override
    public void outboxFailed(String pump, int attempt, RuntimeException cause) {
        if (Integer.bitCount(attempt) == 1) { // the 1st, 2nd, 4th, 8th …
            log.warn("Pump {} cannot read its outbox, attempt {}; it tries again after a pause", pump, attempt, cause);
        }
        tell(() -> listener.outboxFailed(pump, attempt, cause));
    }

    @Override
    public void ringFull(String pump, String queue, List<String> slowestConsumers) {
        if (!ringIsFull) {
            ringIsFull = true;
            log.warn(
                    "Pump {} waits, since the ring of queue {} is full, and {} has not taken its messages. Start the copies of"
                            + " that consumer; if it is gone for good, remove it with MessageQueue.removeConsumer",
                    pump,
                    queue,
                    slowestConsumers);
        }
        tell(() -> listener.ringFull(pump, queue, slowestConsumers));
    }

    /** Told to the listener only if the ring was full. */
    @Override
    public void ringFreed(String pump, String queue) {
        if (ringIsFull) {
            ringIsFull = false;
            tell(() -> listener.ringFreed(pump, queue));
        }
    }

    @Override
    public void failed(String pump, Throwable cause) {
        tell(() -> listener.failed(pump, cause));
    }
}

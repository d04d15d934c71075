package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.copy.CopyListener;
import java.util.List;

/** Receives what a copy of a pump does. {@link CopyListener} describes which threads call it, and what must not block. */
public interface PumpListener extends CopyListener {

    /** Does nothing. */
    static PumpListener none() {
        return new PumpListener() {};
    }

    /** A row is in the queue: this copy or another copy has pushed it. */
    default void onPushed(String pump, long row) {}

    /** The outbox did not answer, for the {@code attempt}th time since its last answer. The copy tries again after a pause. */
    default void onOutboxFailed(String pump, int attempt, RuntimeException cause) {}

    /** No sink has begun to write the outbox, for longer than a start takes. Called at every attempt. */
    default void onStandingBy(String pump, String why) {}

    /** The queue is a full ring; the given consumers are the slowest. Called at every attempt. */
    default void onRingFull(String pump, String queue, List<String> slowestConsumers) {}

    /** The ring has room again. */
    default void onRingFreed(String pump, String queue) {}
}

package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.LowWater;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.PushAnswer.RingFull;
import java.util.Optional;

/**
 * Prevents that two full rings wait for each other (docs/exactly-once.md, section 3, sent again). A handler that writes a message
 * to its full parking ring takes nothing. Operators free that ring in the order of its messages, by sending them again. The
 * messages go to another ring, which the handler would have to take. Methods block and do I/O. Thread-safe.
 */
final class ParkingRoom {

    private final MessageQueue parking;
    private final MessageQueue again;

    ParkingRoom(HandlerDefinition<?> definition, HandlerDefinition.Parking parking) {
        this.parking = definition.output(parking.queue());
        again = definition.again.orElseThrow();
    }

    /**
     * Empty if a message may be sent again. The last free cell is kept for the oldest parked message, whose cell is freed first.
     */
    Optional<RingFull> whyFull(SentAgain record, String queue, long index) throws InterruptedException {
        boolean oldest = queue.equals(parking.getName()) && record.done(queue).below() == index;
        LowWater lowWater = again.readLowWater();
        return again.getLayout().mayWrite(record.nextSequence() + (oldest ? 0 : 1), lowWater.index())
                ? Optional.empty()
                : Optional.of(new RingFull(lowWater.slowest(), lowWater.index()));
    }

    /** Whether the parking ring has no room for the next message of this state. An old read shows no room that is not there. */
    boolean isFull(HandlerState state) throws InterruptedException {
        long next = state.sequences().getOrDefault(parking.getName(), 0L);
        return !parking.getLayout().mayWrite(next, parking.readLowWater().index());
    }
}

package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.period.StoredPeriod;
import java.nio.ByteBuffer;

/**
 * Values of locks as numbers: each value that a schedule sets is another one, 0 is the empty value, and periods are negative. Without
 * state.
 */
final class SimulatedValue {

    private SimulatedValue() {}

    static byte[] bytes(long number) {
        if (number < 0) {
            return StoredPeriod.of(-number).bytes();
        }
        return number == 0
                ? new byte[0]
                : ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static long number(byte[] bytes) {
        if (StoredPeriod.isIn(bytes)) {
            return -Long.parseLong(
                    StoredPeriod.read(TicketWorld.LOCK, bytes).orElseThrow().toString());
        }
        return bytes.length == 0 ? 0 : ByteBuffer.wrap(bytes).getLong();
    }
}

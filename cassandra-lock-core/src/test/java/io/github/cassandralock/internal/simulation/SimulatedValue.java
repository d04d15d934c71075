package io.github.cassandralock.internal.simulation;

import java.nio.ByteBuffer;

/** Values of locks as numbers: each value that a schedule sets is another one, and 0 is the empty value. Without state. */
final class SimulatedValue {

    private SimulatedValue() {}

    static byte[] bytes(long number) {
        return number == 0
                ? new byte[0]
                : ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static long number(byte[] bytes) {
        return bytes.length == 0 ? 0 : ByteBuffer.wrap(bytes).getLong();
    }
}

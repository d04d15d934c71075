package io.github.cassandralock.internal.ticket;

import java.util.OptionalLong;

/**
 * The highest fencing token that this process has read or reserved for one lock: what every write to the lock's partition
 * carries (protocol, section 1). Touched by the lock's mailbox alone.
 */
final class Carry {

    private static final long NONE = Long.MIN_VALUE;

    private long highest = NONE;

    void raise(OptionalLong token) {
        token.ifPresent(this::raise);
    }

    void raise(long token) {
        highest = Math.max(highest, token);
    }

    OptionalLong value() {
        return highest == NONE ? OptionalLong.empty() : OptionalLong.of(highest);
    }
}

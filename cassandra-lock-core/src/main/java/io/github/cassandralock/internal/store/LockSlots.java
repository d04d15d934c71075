package io.github.cassandralock.internal.store;

import java.util.List;
import java.util.OptionalLong;

/**
 * A lock's partition as one quorum read shows it.
 *
 * @param slots the rows, one per slot
 * @param lastToken the highest fencing token that a holder may have shown; empty if none was requested, or it has expired
 */
public record LockSlots(List<Slot> slots, OptionalLong lastToken) {

    /** The floor's epoch, 2020-01-01T00:00Z, in seconds since 1970. */
    private static final long FLOOR_EPOCH = 1_577_836_800L;

    /** The floor rises by 2^20 tokens per second. */
    private static final int FLOOR_SHIFT = 20;

    /**
     * The lowest token of a lock whose last token may have expired or been lost (protocol, section 5).
     *
     * @param micros the calendar time, in microseconds since 1970
     */
    public static long tokenFloor(long micros) {
        return Math.max(0, micros / 1_000_000 - FLOOR_EPOCH) << FLOOR_SHIFT;
    }
}

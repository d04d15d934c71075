package io.github.cassandralock.internal.simulation;

import org.jspecify.annotations.Nullable;

/**
 * One cell as a replica has it.
 *
 * @param expiresAt simulated time, or {@link Long#MAX_VALUE}
 */
record SimulatedCell(long timestamp, boolean deleted, long expiresAt, long value) {

    /** The higher timestamp wins, on a tie a deletion, then the later expiry, then the larger value, as in Cassandra. */
    static @Nullable SimulatedCell newer(@Nullable SimulatedCell a, @Nullable SimulatedCell b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        if (a.timestamp != b.timestamp) {
            return a.timestamp > b.timestamp ? a : b;
        }
        if (a.deleted != b.deleted) {
            return a.deleted ? a : b;
        }
        if (a.expiresAt != b.expiresAt) {
            return a.expiresAt > b.expiresAt ? a : b;
        }
        return a.value >= b.value ? a : b;
    }

    boolean isAlive(long now) {
        return !deleted && now < expiresAt;
    }
}

package io.github.cassandralock.internal.thesis.lease;

import java.time.Duration;

/**
 * How long cells live, and how long their writer may rely on them.
 *
 * @param lease the thesis's N
 * @param clockDrift how far the rates of two clocks may differ, as a fraction (0.05: five percent)
 */
public record LeaseSettings(Duration lease, double clockDrift) {

    /**
     * The shortest lease for which servers keep cells long enough, with the greatest difference of clocks that the thesis allows.
     */
    public static final Duration SHORTEST_SAFE_LEASE = Duration.ofMinutes(15);

    private static final Duration EXPIRY_GRANULARITY = Duration.ofSeconds(1);

    /**
     * The cells' time to live. Cassandra counts expiry in whole seconds of the coordinator's clock, so a cell may expire up to
     * one second early. Therefore the time to live is one second longer than the lease, rounded up.
     */
    public int ttlSeconds() {
        return Math.toIntExact(
                lease.plusNanos(999_999_999).plus(EXPIRY_GRANULARITY).toSeconds());
    }

    /** How long a cell certainly exists after its acknowledged write was sent, on the writer's clock. */
    public Duration certain() {
        return Duration.ofNanos((long) (lease.toNanos() * (1 - clockDrift)));
    }

    /** How long after a write the cells are rewritten (thesis, section 5.3: N/2). */
    public Duration renewal() {
        return lease.dividedBy(2);
    }

    /** The pause before a failed write is repeated. Several repetitions fit into a lease. */
    public Duration retry() {
        return lease.dividedBy(20);
    }
}

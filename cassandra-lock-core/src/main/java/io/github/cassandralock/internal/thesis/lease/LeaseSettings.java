package io.github.cassandralock.internal.thesis.lease;

import java.time.Duration;

/**
 * How long cells live and for how long their writer may count on them.
 *
 * @param lease the thesis's N
 * @param clockDrift how far the rates of two clocks may differ, as a fraction (0.05: five percent)
 */
public record LeaseSettings(Duration lease, double clockDrift) {

    private static final Duration EXPIRY_GRANULARITY = Duration.ofSeconds(1);

    /**
     * The cells' time to live. Cassandra counts expiry in whole seconds of the coordinator's clock, so a cell may go up to
     * a second early: one second more pays for that.
     */
    public int ttlSeconds() {
        return Math.toIntExact(
                lease.plusNanos(999_999_999).plus(EXPIRY_GRANULARITY).toSeconds());
    }

    /** For how long after a write was sent its cell certainly exists, on the writer's clock. */
    public Duration certain() {
        return Duration.ofNanos((long) (lease.toNanos() * (1 - clockDrift)));
    }

    /** Cells are rewritten this long after they were written (thesis, section 5.3: N/2). */
    public Duration renewal() {
        return lease.dividedBy(2);
    }

    /** The pause before a failed write is repeated: often enough to have several chances within a lease. */
    public Duration retry() {
        return lease.dividedBy(20);
    }
}

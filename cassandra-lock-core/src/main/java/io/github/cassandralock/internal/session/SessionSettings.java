package io.github.cassandralock.internal.session;

import java.time.Duration;

/**
 * How long a session may be counted on, by its owner and by others (protocol, section 4).
 *
 * @param lease what renewals extend
 * @param clockDrift the protocol's epsilon: how far the rates of two clocks may differ, as a fraction (0.05: five percent)
 */
public record SessionSettings(Duration lease, double clockDrift) {

    /** Expiry is judged by servers' clocks, which may be wrong by hours. */
    private static final Duration KEPT_BEYOND_LEASE = Duration.ofHours(3);

    /** The session in the way may have a much shorter lease than this process. */
    private static final Duration LONGEST_PATIENCE = Duration.ofMillis(1_500);

    /** For how long after a renewal was first sent its session is valid, on its owner's clock. */
    public Duration validity() {
        return Duration.ofNanos((long) (lease.toNanos() * (1 - clockDrift)));
    }

    /** After how long without a new beat a session is declared dead, on the watcher's clock. */
    public Duration suspicion() {
        return Duration.ofNanos((long) Math.ceil(lease.toNanos() * (1 + clockDrift)));
    }

    /** Between two renewals of one's own session, and between two looks at another's. */
    public Duration interval() {
        return lease.dividedBy(3);
    }

    /** After how long a renewal is sent again if nobody says what became of it: six chances or so within a lease. */
    public Duration resend() {
        return lease.dividedBy(10);
    }

    /** The pause before a request that failed is repeated: often enough to have several chances within a lease. */
    public Duration retry() {
        return lease.dividedBy(20);
    }

    /** How long a waiter is blocked by the same session before it begins to watch it. */
    public Duration patience() {
        Duration tenth = lease.dividedBy(10);
        return tenth.compareTo(LONGEST_PATIENCE) < 0 ? tenth : LONGEST_PATIENCE;
    }

    /** The sessions' rows are garbage after this. A session that is missing counts as dead, and by then it is. */
    public Duration rowLife() {
        return lease.plus(KEPT_BEYOND_LEASE);
    }
}

package io.github.cassandralock.internal.session;

import java.time.Duration;

/**
 * How long a session is valid, as its owner and as other processes see it (protocol, section 4).
 *
 * @param lease the time by which a renewal extends the session, before drift
 * @param clockDrift the protocol's epsilon: how far the rates of two clocks may differ, as a fraction (0.05: five percent)
 */
public record SessionSettings(Duration lease, double clockDrift) {

    /** The servers' clocks decide when a row expires, and they may be wrong by up to two hours. */
    private static final Duration KEPT_BEYOND_LEASE = Duration.ofHours(3);

    /** The session ahead may have a much shorter lease than this process. */
    private static final Duration LONGEST_PATIENCE = Duration.ofMillis(1_500);

    /** How long a session is valid after a renewal was first sent, on the owner's clock. */
    public Duration validity() {
        return Duration.ofNanos((long) (lease.toNanos() * (1 - clockDrift)));
    }

    /** How long a watcher sees no new beat before it declares the session dead, on the watcher's clock. */
    public Duration suspicion() {
        return Duration.ofNanos((long) Math.ceil(lease.toNanos() * (1 + clockDrift)));
    }

    /** The time between two renewals of the own session, and between two reads of another session. */
    public Duration interval() {
        return Duration.ofNanos(lease.toNanos() / 3);
    }

    /** The time after which a renewal without an answer is sent again: about six tries within a lease. */
    public Duration resend() {
        return Duration.ofNanos(lease.toNanos() / 10);
    }

    /** The pause before a request that failed is repeated. Several repetitions fit into a lease. */
    public Duration retry() {
        return Duration.ofNanos(lease.toNanos() / 20);
    }

    /** How long one slot is the first blocker before the waiter watches the sessions ahead. */
    public Duration patience() {
        return Duration.ofNanos(Math.min(lease.toNanos() / 10, LONGEST_PATIENCE.toNanos()));
    }

    /**
     * The interval in which a session's contact is written again, so that it does not expire before the row. It is short enough for
     * a server whose clock is two hours wrong.
     */
    public Duration publishing() {
        return rowLife().dividedBy(6);
    }

    /** The time to live of a session's row. A missing row counts as dead, so a session is dead when its row expires. */
    public Duration rowLife() {
        return lease.plus(KEPT_BEYOND_LEASE);
    }
}

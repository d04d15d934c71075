package io.github.cassandralock.internal.ticket.process;

import io.github.cassandralock.internal.steps.PollBounds;
import java.time.Duration;

/**
 * The settings of the protocol, without the settings of the sessions.
 *
 * @param slotLife time to live of a slot that waits or holds; whole seconds
 * @param idleLife time to live of an idle slot; whole seconds
 * @param expiryMargin how much earlier than its life a row may vanish because the servers' clocks differ; drift is extra
 * @param maxDuration for how long threads of one process may hand a slot to each other; zero: not at all
 * @param poll pauses of a waiter that is next
 * @param keep for how long a process that exchanges notices keeps an unused lock for the next of its threads
 */
public record TicketSettings(
        Duration slotLife,
        Duration idleLife,
        Duration expiryMargin,
        Duration maxDuration,
        PollBounds poll,
        Duration keep) {

    /**
     * The clock of the coordinating server decides when a row expires, in whole seconds. Two hours allow for wrong clocks, and
     * two seconds for the rounding.
     */
    private static final Duration EXPIRY_MARGIN = Duration.ofHours(2).plusSeconds(2);

    private static final Duration SLOT_LIFE = Duration.ofHours(3);
    private static final Duration IDLE_LIFE = Duration.ofMinutes(5);

    /** How many fencing tokens a hold reserves, and therefore how many grants it may have. */
    public static final int TOKENS = 1024;

    /** How long a session that tries a lock waits for the tickets of others that try it meanwhile. */
    public static final Duration TRY_WINDOW = Duration.ofMillis(100);

    /** A hold is kept for its process for at most so many times {@link #keep()}, counted from the winning read. */
    private static final int LONGEST_KEPT = 10;

    /** The bounds of {@link #reticketWindow}. */
    private static final PollBounds RETURN = new PollBounds(Duration.ofMillis(3), Duration.ofMillis(25));

    /** The divisor of the wait in {@link #reticketWindow}. */
    private static final int RETURN_SHARE = 16;

    /** The pause between two reads of a session that has sent {@code ASK} for the lock and has no answer. */
    public static final Duration ASK_AGAIN = TRY_WINDOW.dividedBy(4);

    /** How long an unused lock stays with its process. At most a third of any lease. */
    public static final Duration KEEP = Duration.ofMillis(25);

    /** With the lives that slots have in Cassandra, and the usual pauses of a waiter. */
    public static TicketSettings of(Duration maxDuration) {
        return of(maxDuration, PollBounds.OF_WAITERS);
    }

    /** With the lives that slots have in Cassandra. */
    public static TicketSettings of(Duration maxDuration, PollBounds poll) {
        return new TicketSettings(SLOT_LIFE, IDLE_LIFE, EXPIRY_MARGIN, maxDuration, poll, Duration.ZERO);
    }

    /** Returns these settings with another time for which locks are kept. */
    public TicketSettings keeping(Duration kept) {
        return new TicketSettings(slotLife, idleLife, expiryMargin, maxDuration, poll, kept);
    }

    /** For how long after the winning read a kept lock may be granted again without an operation. */
    public Duration longestKept() {
        return keep.multipliedBy(LONGEST_KEPT);
    }

    /**
     * For how long a session that has promised to return waits for a thread that requests the lock again. The turn of the
     * promised ticket is likely to come after about as long as the turn before.
     *
     * @param waited how long the session waited for the lock before
     */
    public static Duration reticketWindow(Duration waited) {
        return RETURN.clamp(waited.toNanos() / RETURN_SHARE);
    }

    /**
     * How long a row certainly exists after the timestamp of its acknowledged write was drawn, on the writer's clock.
     *
     * @param clockDrift the protocol's epsilon
     */
    public Duration certain(double clockDrift) {
        return Duration.ofNanos((long) (slotLife.toNanos() * (1 - clockDrift))).minus(expiryMargin);
    }
}

package io.github.cassandralock.internal.ticket.process;

import io.github.cassandralock.internal.steps.PollBounds;
import java.time.Duration;

/**
 * The settings of the protocol, apart from those of the sessions.
 *
 * @param slotLife time to live of a slot that waits or holds; whole seconds
 * @param idleLife time to live of an idle slot; whole seconds
 * @param expiryMargin how much earlier than its life a row may vanish, beside drift: the servers' clocks may be that far
 *     apart
 * @param maxDuration for how long threads of one process may hand a slot to each other; zero: not at all
 * @param poll pauses of a waiter that is next
 * @param keep for how long a process that exchanges notices keeps a lock that no thread wants, for the next of its threads
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

    /** How long a session that tries a lock waits for others, which try it at the same time, to draw their tickets. */
    public static final Duration TRY_WINDOW = Duration.ofMillis(100);

    /** A hold is kept for its process for at most so many times {@link #keep()}, counted from the winning read. */
    private static final int LONGEST_KEPT = 10;

    /** For how long a promise to come back holds without a thread that wants the lock: within these bounds... */
    private static final PollBounds RETURN = new PollBounds(Duration.ofMillis(3), Duration.ofMillis(25));

    /** ... this part of the time that the session had to wait for the lock. */
    private static final int RETURN_SHARE = 16;

    /** The pause between two looks of a session that has asked for the lock and has no answer. */
    public static final Duration ASK_AGAIN = TRY_WINDOW.dividedBy(4);

    /** How long a lock that no thread wants stays with its process. At most a third of any lease. */
    public static final Duration KEEP = Duration.ofMillis(25);

    /** With the lives that slots have in Cassandra, and the usual pauses of a waiter. */
    public static TicketSettings of(Duration maxDuration) {
        return of(maxDuration, PollBounds.OF_WAITERS);
    }

    /** With the lives that slots have in Cassandra. */
    public static TicketSettings of(Duration maxDuration, PollBounds poll) {
        return new TicketSettings(SLOT_LIFE, IDLE_LIFE, EXPIRY_MARGIN, maxDuration, poll, Duration.ZERO);
    }

    /** The same, with locks that are kept. */
    public TicketSettings keeping(Duration kept) {
        return new TicketSettings(slotLife, idleLife, expiryMargin, maxDuration, poll, kept);
    }

    /** For how long after the winning read a kept lock may be granted again without an operation. */
    public Duration longestKept() {
        return keep.multipliedBy(LONGEST_KEPT);
    }

    /**
     * For how long a session that has promised to come back waits for a thread that wants the lock again. The turn of the promised
     * ticket is likely to come after about as long as the turn before.
     *
     * @param waited how long the session waited for the lock before
     */
    public static Duration returnWindow(Duration waited) {
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

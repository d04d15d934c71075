package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.steps.PollBounds;
import java.time.Duration;

/**
 * The settings of the protocol, apart from those of the sessions.
 *
 * @param slotLife time to live of a slot that waits or holds; whole seconds
 * @param idleLife time to live of an idle slot; whole seconds
 * @param expiryMargin how much earlier than its time to live says a row may expire, apart from drift: the servers' clocks may
 *     differ by that much
 * @param maxDuration how long threads of one process may hand a slot to each other; zero: not at all
 * @param poll the shortest and the longest pause of a waiter that is next
 */
public record TicketSettings(
        Duration slotLife, Duration idleLife, Duration expiryMargin, Duration maxDuration, PollBounds poll) {

    /**
     * The clock of the coordinating server decides when a row expires, in whole seconds. Two hours allow for wrong clocks, and
     * two seconds for the rounding.
     */
    private static final Duration EXPIRY_MARGIN = Duration.ofHours(2).plusSeconds(2);

    private static final Duration SLOT_LIFE = Duration.ofHours(3);
    private static final Duration IDLE_LIFE = Duration.ofMinutes(5);

    /** How many fencing tokens a hold reserves, and therefore how many grants it may have. */
    static final int TOKENS = 1024;

    /** How long a session that tries a lock waits for others, which try it at the same time, to draw their tickets. */
    static final Duration TRY_WINDOW = Duration.ofMillis(100);

    /** Returns settings with the times to live that slots have in Cassandra. */
    public static TicketSettings of(Duration maxDuration, PollBounds poll) {
        return new TicketSettings(SLOT_LIFE, IDLE_LIFE, EXPIRY_MARGIN, maxDuration, poll);
    }

    /**
     * How long a row certainly exists after the timestamp of its acknowledged write was drawn, on the writer's clock.
     *
     * @param clockDrift the protocol's epsilon
     */
    Duration certain(double clockDrift) {
        return Duration.ofNanos((long) (slotLife.toNanos() * (1 - clockDrift))).minus(expiryMargin);
    }
}

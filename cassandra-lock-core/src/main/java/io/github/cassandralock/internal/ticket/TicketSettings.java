package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.steps.PollBounds;
import java.time.Duration;

/**
 * The figures of the protocol, beside those of the sessions.
 *
 * @param slotLife time to live of a slot that waits or holds; whole seconds
 * @param idleLife time to live of an idle slot; whole seconds
 * @param expiryMargin how much earlier than its life a row may vanish, beside drift: the servers' clocks may be that far
 *     apart
 * @param maxHold for how long threads of one process may hand a slot to each other; zero: not at all
 * @param poll pauses of a waiter that is next
 */
public record TicketSettings(
        Duration slotLife, Duration idleLife, Duration expiryMargin, Duration maxHold, PollBounds poll) {

    /**
     * Expiry is judged by the clock of whichever server coordinates, in whole seconds: two hours for clocks that are
     * wrong, two seconds for the rounding.
     */
    private static final Duration EXPIRY_MARGIN = Duration.ofHours(2).plusSeconds(2);

    private static final Duration SLOT_LIFE = Duration.ofHours(3);
    private static final Duration IDLE_LIFE = Duration.ofMinutes(5);

    /** How many fencing tokens a tenure reserves, hence how many grants it may consist of. */
    static final int TOKENS = 1024;

    /** For how long at least sessions that try at once look at each other before one of them leaves. */
    static final Duration TRY_WINDOW = Duration.ofMillis(100);

    /** With the lives that slots have in Cassandra. */
    public static TicketSettings of(Duration maxHold, PollBounds poll) {
        return new TicketSettings(SLOT_LIFE, IDLE_LIFE, EXPIRY_MARGIN, maxHold, poll);
    }

    /**
     * For how long after an acknowledged write was sent its row certainly exists, on the writer's clock.
     *
     * @param clockDrift the protocol's epsilon
     */
    Duration certain(double clockDrift) {
        return Duration.ofNanos((long) (slotLife.toNanos() * (1 - clockDrift))).minus(expiryMargin);
    }
}

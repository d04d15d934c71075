package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;

/**
 * The objects that all locks of this process share.
 *
 * @param handOverEstimates the expected times of hand-overs, from which the pauses of waiters follow
 * @param sessionSettings how long sessions are valid
 * @param wallClock gives the floor of fencing tokens, nothing else
 * @param warnings the warnings about locks
 */
record TicketContext(
        SlotStore store,
        SessionKeeper sessions,
        SessionWatch watch,
        HandOverEstimates handOverEstimates,
        SessionSettings sessionSettings,
        TicketSettings settings,
        Ticker ticker,
        Timers timers,
        WallClock wallClock,
        TicketWarnings warnings) {

    /** How long a row certainly exists after the timestamp of its acknowledged write was drawn, on the writer's clock. */
    Duration certain() {
        return settings.certain(sessionSettings.clockDrift());
    }

    /** How often all slots are checked for a refresh that is due. */
    Duration refreshInterval() {
        return certain().dividedBy(8);
    }

    /** A slot is rewritten when its last acknowledged write is this old, so at the latest after half of its certain life. */
    Duration refreshAge() {
        return refreshInterval().multipliedBy(3);
    }
}

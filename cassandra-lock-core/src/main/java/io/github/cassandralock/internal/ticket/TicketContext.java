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
 * What every lock of this process works with.
 *
 * @param handOverEstimates what pauses begin with
 * @param sessionSettings how long sessions may be counted on
 * @param wallClock gives the floor of fencing tokens, nothing else
 * @param warnings what the log is told about locks
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

    /** For how long after an acknowledged write was sent its row certainly exists, on the writer's clock. */
    Duration certain() {
        return settings.certain(sessionSettings.clockDrift());
    }

    /** How often slots are looked over for one that is due. */
    Duration refreshInterval() {
        return certain().dividedBy(8);
    }

    /** A slot is rewritten when its last acknowledged write is this old: by half of its certain life at the latest. */
    Duration refreshAge() {
        return refreshInterval().multipliedBy(3);
    }
}

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionTerms;
import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;

/**
 * What every lock of this process works with.
 *
 * @param handOvers what pauses begin with
 * @param sessionTerms how long sessions may be counted on
 * @param calendar gives the floor of fencing tokens, nothing else
 * @param warnings what the log is told about locks
 */
record TicketParts(
        SlotStore store,
        SessionKeeper sessions,
        SessionWatch watch,
        HandOverMemory handOvers,
        SessionTerms sessionTerms,
        TicketTerms terms,
        Ticker ticker,
        Timers timers,
        WallClock calendar,
        TicketWarnings warnings) {

    /** For how long after an acknowledged write was sent its row certainly exists, on the writer's clock. */
    Duration certain() {
        return terms.certain(sessionTerms.clockDrift());
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

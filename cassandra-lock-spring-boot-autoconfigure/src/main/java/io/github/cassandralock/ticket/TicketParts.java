package io.github.cassandralock.ticket;

import io.github.cassandralock.session.SessionKeeper;
import io.github.cassandralock.session.SessionWatch;
import io.github.cassandralock.spi.SlotStore;
import io.github.cassandralock.spi.Ticker;
import io.github.cassandralock.spi.Timers;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;

/**
 * What every lock of this process works with.
 *
 * @param watchAfter how long a waiter is blocked by the same session before it begins to watch it
 * @param calendar gives the floor of fencing tokens, nothing else
 */
record TicketParts(
        SlotStore store,
        SessionKeeper sessions,
        SessionWatch watch,
        Duration watchAfter,
        TicketTerms terms,
        Ticker ticker,
        Timers timers,
        WallClock calendar) {}

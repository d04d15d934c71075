package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.util.random.RandomGenerator;

/**
 * The objects that all attempts of one algorithm share.
 *
 * @param mainRow the rows with the holders
 * @param random determines how long threads pause after they have met; must be thread-safe
 * @param counters count renewals
 * @param warnings about all locks of the algorithm
 */
public record CellContext(
        CellStore mainRow,
        LeaseSettings settings,
        Ticker ticker,
        Timers timers,
        RandomGenerator random,
        ProtocolCounters counters,
        LeaseWarnings warnings) {

    /** Creates a context with warnings of its own. */
    public CellContext(
            CellStore mainRow,
            LeaseSettings settings,
            Ticker ticker,
            Timers timers,
            RandomGenerator random,
            ProtocolCounters counters) {
        this(mainRow, settings, ticker, timers, random, counters, LeaseWarnings.with(timers));
    }
}

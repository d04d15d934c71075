package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.store.SessionStore;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;

/**
 * The objects that all parts of the search for deadlocks share.
 *
 * @param counters count victims
 * @param failing warns that waits cannot be published or read
 * @param crowded warns that there are more waits than the bounds allow
 */
record DeadlockContext(
        WaitStore waits,
        SlotStore slots,
        SessionStore sessions,
        DeadlockSettings settings,
        Ticker ticker,
        Timers timers,
        ProtocolCounters counters,
        RepeatedWarning failing,
        RepeatedWarning crowded) {}

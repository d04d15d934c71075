package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.PublishedWaits;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Determines which rows that this process has read are still written. The number of a row does not rise if its process has ended
 * or is cut off. It does not rise if the removal of the row was lost. Not thread-safe.
 */
final class Freshness {

    /** In halves of the interval of the row's process. */
    private static final int LONGEST = 5;

    private final Ticker ticker;
    private final Map<UUID, Seen> seen = new HashMap<>();

    /** @param since when a read first showed this value */
    private record Seen(long seq, long since) {}

    Freshness(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Records a row that a read has shown. Returns whether it has risen within two and a half intervals of its process. */
    boolean isFresh(PublishedWaits row) {
        long now = ticker.nanos();
        Seen known = seen.merge(
                row.session(),
                new Seen(row.seq(), now),
                (before, shown) -> before.seq() < shown.seq() ? shown : before);
        Duration longest = row.interval().multipliedBy(LONGEST).dividedBy(2);
        return known.seq() <= row.seq() && now - known.since() < longest.toNanos();
    }

    /** Removes all but the rows of these sessions. */
    void retain(Collection<UUID> sessions) {
        seen.keySet().retainAll(sessions);
    }
}

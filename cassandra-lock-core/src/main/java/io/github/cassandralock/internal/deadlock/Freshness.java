package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitRow;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Which of the rows that one check has read are still written. The owner of a row that does not rise any more is gone, or the removal of
 * the row was lost. Not thread-safe.
 */
final class Freshness {

    /** In halves of the owner's interval. */
    private static final int LONGEST = 5;

    private final Ticker ticker;
    private Map<WaitId, Seen> seen = new HashMap<>();

    /** @param since when a read first showed this value */
    private record Seen(long seq, long since) {}

    Freshness(Ticker ticker) {
        this.ticker = ticker;
    }

    /** A read has shown these rows. */
    void saw(Collection<WaitRow> rows) {
        long now = ticker.nanos();
        rows.forEach(row -> seen.merge(
                row.id(), new Seen(row.seq(), now), (before, shown) -> before.seq() < shown.seq() ? shown : before));
    }

    /** Forgets all but these rows. */
    void retain(Collection<WaitId> ids) {
        Map<WaitId, Seen> left = new HashMap<>(seen);
        left.keySet().retainAll(ids);
        seen = left;
    }

    /** Whether a row, which was seen, has not risen for two and a half intervals of its owner. */
    boolean isStale(WaitRow row) {
        Seen known = seen.get(row.id());
        Duration longest = row.interval().multipliedBy(LONGEST).dividedBy(2);
        return known != null && known.seq() >= row.seq() && ticker.nanos() - known.since() >= longest.toNanos();
    }
}
